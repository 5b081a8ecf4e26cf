// Swipes on an element, by finger, pen or mouse.

const SHORTEST = 24;

export const onSwipe = (target, act) => {
  let start = null;
  target.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary) return;
    start = event;
    target.setPointerCapture(event.pointerId);
  });
  // The move counts as soon as it is long enough: waiting for the finger to leave feels slow.
  target.addEventListener("pointermove", (event) => {
    if (start === null || event.pointerId !== start.pointerId) return;
    const across = event.clientX - start.clientX;
    const down = event.clientY - start.clientY;
    if (Math.max(Math.abs(across), Math.abs(down)) < SHORTEST) return;
    start = null;
    if (Math.abs(across) > Math.abs(down)) act(across > 0 ? "R" : "L");
    else act(down > 0 ? "D" : "U");
  });
  for (const name of ["pointerup", "pointercancel"]) target.addEventListener(name, () => { start = null; });
};
