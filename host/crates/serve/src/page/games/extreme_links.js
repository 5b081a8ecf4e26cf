// Links to the games of an agent that are worth looking at first: its worst and its best.
import { element } from "../dom/element.js";
import { extremeAddress } from "../text/replay_address.js";
/** @import { GameExtreme } from "../text/replay_address.js" */

/**
 * @param {string} run
 * @param {Omit<GameExtreme, "order">} series
 */
export const extremeLinks = (run, series) => [
  element("a", { href: extremeAddress(run, { ...series, order: "worst" }), "aria-label": `worst game of ${series.agent}` }, "worst game"),
  " · ",
  element("a", { href: extremeAddress(run, { ...series, order: "best" }), "aria-label": `best game of ${series.agent}` }, "best game"),
];
