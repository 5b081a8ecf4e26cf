// Keys for a whole view. They act only where the focus is on nothing that needs them
// itself: a field keeps its arrows, a button its space bar.

const FIELDS = "input, select, textarea";
const PRESSED_BY_SPACE = `${FIELDS}, button, a, summary`;

/** Returns the function that takes them away again; `actions` go by the name of the key. */
export const listen = (actions) => {
  const pressed = (event) => {
    const keepers = event.key === " " ? PRESSED_BY_SPACE : FIELDS;
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(keepers)) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
};
