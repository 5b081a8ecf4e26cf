// Swipes on an element, by finger, pen or mouse.
/** @import { Direction } from "../net/server_json.js" */

const SHORTEST_PX = 24;

/**
 * The direction of a swipe; null while it is too short.
 * @param {number} right in pixels
 * @param {number} down in pixels
 * @returns {Direction | null}
 */
export const swipeDirection = (right, down) => {
  if (Math.max(Math.abs(right), Math.abs(down)) < SHORTEST_PX) return null;
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "R" : "L";
  return down > 0 ? "D" : "U";
};

/**
 * Calls `act` for each swipe.
 * @param {HTMLElement} target
 * @param {(direction: Direction) => void} act
 */
export const onSwipe = (target, act) => {
  /** @type {PointerEvent | null} */
  let start = null;
  target.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary) return;
    start = event;
    target.setPointerCapture(event.pointerId);
  });
  // A swipe counts as soon as it is long enough: waiting until the finger is lifted feels slow.
  target.addEventListener("pointermove", (event) => {
    if (start === null || event.pointerId !== start.pointerId) return;
    const direction = swipeDirection(event.clientX - start.clientX, event.clientY - start.clientY);
    if (direction === null) return;
    start = null;
    act(direction);
  });
  target.addEventListener("pointerup", () => { start = null; });
  target.addEventListener("pointercancel", () => { start = null; });
};
