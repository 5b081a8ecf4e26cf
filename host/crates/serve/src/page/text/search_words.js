// What happens at the nodes of a search, in words and signs.
import { count, decimals } from "../shared/number.js";
import { LETTERS, arrow } from "./directions.js";
/** @import { Bound, ExplainedNode, NodeKind } from "../net/server_json.js" */

// Larger values are written with a power of ten.
const LARGE = 1e12;

/** @type {Record<NodeKind, { sign: string, word: string }>} */
const KINDS = {
  max: { sign: "▲", word: "the agent moves" },
  min: { sign: "▼", word: "the worst new tile" },
  chance: { sign: "●", word: "a new tile by chance" },
  leaf: { sign: "■", word: "evaluated" },
  goal: { sign: "★", word: "solution" },
  dead: { sign: "✕", word: "killed" },
};
const RELATIONS = { exact: "", "at-least": "≥ ", "at-most": "≤ " };

/** @param {ExplainedNode} node */
export const kindOf = ({ kind }) => KINDS[kind];

/**
 * How a node without a value ends: as a solution or given up; empty for any other.
 * @param {ExplainedNode} node
 */
export const endOf = ({ kind }) => (kind === "goal" || kind === "dead" ? KINDS[kind].word : "");

/** @param {"up" | "right" | "down" | "left"} move */
export const moveWithArrow = (move) => `${arrow(LETTERS[move])} ${move}`;

/**
 * The name of a cell: a letter for the column, a number for the row.
 * @param {number} cell in reading order
 * @param {number} side
 */
export const cellName = (cell, side) => `${String.fromCharCode(97 + (cell % side))}${Math.floor(cell / side) + 1}`;

/**
 * What leads to a node: `→ right`, `2 at d3`, or both.
 * @param {ExplainedNode} node
 */
export const leadOf = ({ parent, move, tile, cell, board }) => {
  if (parent === undefined) return "start";
  const made = move === undefined ? [] : [moveWithArrow(move)];
  return [...made, ...(tile === undefined || cell === undefined ? [] : [`${tile} at ${cellName(cell, board.length)}`])].join(", ");
};

/**
 * A value as `host explain` writes it. The values of one search may differ in late digits only.
 * @param {Bound} bound
 */
export const boundText = (bound) => {
  if (bound === "inf") return "∞";
  if (bound === "-inf") return "−∞";
  const size = Math.abs(bound);
  if (size >= LARGE) return bound.toExponential(5).replace("-", "−").replace("e+", "e");
  const nDecimals = size >= 1000 || Number.isInteger(bound) ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4;
  return decimals(bound, nDecimals).replace("-", "−");
};

/**
 * The value of a node, with `≤` or `≥` if the true one may be lower or higher; empty without one.
 * @param {ExplainedNode} node
 */
export const valueText = ({ value, relation = "exact" }) => (value === undefined ? "" : RELATIONS[relation] + boundText(value));

/**
 * Why children were not searched; null if all were.
 * @param {ExplainedNode} node
 */
export const cutText = ({ cut }) => {
  if (cut === undefined) return null;
  if (cut.reason === "table") return "known from the table";
  const what = cut.skipped === undefined ? "the rest cut" : `${count(cut.skipped)} cut`;
  if (cut.reason === "other" || cut.bound === undefined) return what;
  return `${what}: ${cut.reason === "alpha" ? "≤ α" : "≥ β"} ${boundText(cut.bound)}`;
};

/**
 * What else is known about a node, in short.
 * @param {ExplainedNode} node
 */
export const factsOf = (node) => {
  const { probability, visits, alpha, beta, left_out: leftOut, note } = node;
  return [
    cutText(node),
    probability === undefined ? null : `p ${decimals(probability, probability < 0.1 ? 3 : 2)}`,
    visits === undefined ? null : `${count(visits)} visits`,
    alpha === undefined || beta === undefined ? null : `α ${boundText(alpha)} · β ${boundText(beta)}`,
    note ?? null,
    leftOut === undefined ? null : `${count(leftOut)} not listed`,
  ].filter((fact) => fact !== null);
};
