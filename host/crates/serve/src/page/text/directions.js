// The four moves, as arrows and in words.
/** @import { Direction } from "../net/server_json.js" */

/** @type {Direction[]} */
export const DIRECTIONS = ["U", "R", "D", "L"];

/** @type {Record<Direction, string>} */
const ARROWS = { U: "↑", R: "→", D: "↓", L: "←" };
export const LETTERS = { up: /** @type {const} */ ("U"), right: /** @type {const} */ ("R"), down: /** @type {const} */ ("D"), left: /** @type {const} */ ("L") };
/** @type {Record<Direction, string>} */
const WORDS = { U: "up", R: "right", D: "down", L: "left" };

/** @param {Direction} direction */
export const arrow = (direction) => ARROWS[direction];

/** @param {Direction} direction */
export const inWords = (direction) => WORDS[direction];
