// Markup that the host has made of a run that is followed. The host has escaped every text in it.
// Should one slip through all the same, the content security policy of the page runs no script
// and no event handler in it; it allows no inline style either, so the styles are set here.

/**
 * This is the only place where text becomes markup.
 * @param {string} html
 */
export const hostMarkup = (html) => {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  /** @type {NodeListOf<HTMLElement>} */
  const styled = body.querySelectorAll("[data-style]");
  for (const { style, dataset } of styled) style.cssText = dataset["style"] ?? "";
  return [...body.childNodes];
};

/**
 * What a person may have opened, chosen, scrolled or focused, by the figure and the place in it.
 * @param {HTMLElement} area
 */
const controlsOf = (area) => {
  /** @type {Map<string, number>} */
  const found = new Map();
  const controls = [...area.querySelectorAll("details, summary, select, a, .scroll")].filter((control) => control instanceof HTMLElement);
  return new Map(controls.map((control) => {
    const kind = `${control.closest("[data-key]")?.getAttribute("data-key")} ${control.className} ${control.localName}`;
    const place = found.get(kind) ?? 0;
    found.set(kind, place + 1);
    return [`${kind} ${place}`, control];
  }));
};

/**
 * Replaces the content of an area, but keeps what a person has done to it.
 * @param {HTMLElement} area
 * @param {Node[]} content
 */
export const replaceKeeping = (area, content) => {
  const before = [...controlsOf(area)].map(([key, control]) => ({
    key, control, left: control.scrollLeft, top: control.scrollTop, hasFocus: control === document.activeElement,
  }));
  area.replaceChildren(...content);
  const now = controlsOf(area);
  for (const { key, control: old, left, top, hasFocus } of before) {
    const control = now.get(key);
    if (control === undefined) continue;
    if (control instanceof HTMLDetailsElement && old instanceof HTMLDetailsElement) control.open = old.open;
    // An agent that has not played yet may be missing from the choice.
    if (control instanceof HTMLSelectElement && old instanceof HTMLSelectElement) {
      const chosen = [...control.options].find(({ value }) => value === old.value);
      if (chosen !== undefined) control.value = chosen.value;
    }
    [control.scrollLeft, control.scrollTop] = [left, top];
    if (hasFocus) control.focus({ preventScroll: true });
  }
};
