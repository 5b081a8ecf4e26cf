// Keyboard shortcuts of a view. They do not apply while the focus is on a control that uses
// the key itself: a text field needs the arrow keys, a button the space bar.

const FIELDS = "input, select, textarea";
const CONTROLS_WITH_SPACE = `${FIELDS}, button, a, summary`;

/**
 * Adds shortcuts and returns the function that removes them.
 * @param {Record<string, () => void>} actions by the name of the key
 */
export const addShortcuts = (actions) => {
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    const controls = event.key === " " ? CONTROLS_WITH_SPACE : FIELDS;
    const isUsedByControl = event.target instanceof Element && event.target.closest(controls) !== null;
    if (event.ctrlKey || event.altKey || event.metaKey || isUsedByControl) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
};
