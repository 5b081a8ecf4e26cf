// A small board without animation.
import { element } from "../dom/element.js";
/** @import { Cells } from "../net/server_json.js" */

/** @param {Cells} cells */
export const miniBoard = (cells) => {
  const mini = element("span", { class: "mini", "aria-hidden": "true" }, cells.map((exponent) => (exponent === 0
    ? element("span")
    : element("span", { class: `e${Math.min(18, exponent)} d${String(2 ** exponent).length}` }, String(2 ** exponent)))));
  mini.style.setProperty("--side", String(Math.round(Math.sqrt(cells.length))));
  return mini;
};
