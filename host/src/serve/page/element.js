// Makes elements. What comes from the server becomes text or the value of an
// attribute, never markup: no name or sentence of an agent can act on the page.

export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
};

/** A button that cannot be used now keeps the focus, which `disabled` would take from it. */
export const enable = (button, isEnabled) => button.setAttribute("aria-disabled", String(!isEnabled));

export const unseen = (text) => element("span", { class: "unseen" }, text);

export const whole = (number) => Math.round(number).toLocaleString("en");

/** `1 game`, `2 games`. */
export const counted = (number, noun) => `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;

/** A text beside a name that may be cut where there is no room; pointing at it shows the whole. */
export const aside = (text) => (text ? element("small", { class: "aside", title: text }, text) : null);

const ARROWS = { U: "↑", R: "→", D: "↓", L: "←" };
const WORDS = { U: "up", R: "right", D: "down", L: "left" };
export const DIRECTIONS = ["U", "R", "D", "L"];
export const arrow = (direction) => ARROWS[direction] ?? "–";
export const inWords = (direction) => WORDS[direction] ?? "no move";
