// Creates elements. Text from the server becomes a text node or the value of an attribute,
// never markup, so no name or message of an agent can run code in the page.

/** @typedef {Node | string | null | undefined | Child[]} Child false-like children are skipped */
/** @typedef {string | number | boolean | null | undefined | ((event: Event) => void)} Attribute */

/**
 * A function becomes an event listener, `true` an attribute without value; `false`, `null`
 * and `undefined` leave the attribute out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...flatten(children));
  return made;
};

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
const flatten = (children) => children.flatMap((child) => {
  if (Array.isArray(child)) return flatten(child);
  return child === null || child === undefined ? [] : [child];
});

/**
 * Marks a button as unavailable without taking the focus from it, as `disabled` would.
 * @param {HTMLButtonElement} button
 * @param {boolean} isEnabled
 */
export const enable = (button, isEnabled) => button.setAttribute("aria-disabled", String(!isEnabled));

/**
 * Text for screen readers only.
 * @param {string} text
 */
export const visuallyHidden = (text) => element("span", { class: "visually-hidden" }, text);

/**
 * Small text next to a name. It may be cut off; its tooltip shows all of it.
 * @param {string | null} text
 */
export const aside = (text) => (text ? element("small", { class: "aside", title: text }, text) : null);

/**
 * The name of an agent in a table. It may be cut off; its tooltip shows all of it.
 * @param {Child} name
 * @param {string} text
 */
export const nameIn = (name, text = String(name)) => element("span", { class: "name", title: text }, name);

/**
 * An element that index.html contains.
 * @param {string} id
 */
export const elementById = (id) => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element with the id ${id}`);
  return found;
};
