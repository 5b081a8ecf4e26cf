// How a game ended, in words. The headline of a fault names the agent and what it did.
/** @import { GameEnding } from "../net/server_json.js" */

// The sentences of `Ending::sentence` in host/src/run/game_record.rs, by the name of the
// ending. A test of the host compares them.
/** @type {Record<string, string>} */
const FAULTS = {
  crash: "crashed",
  panic: "panicked",
  hang: "did not answer in time",
  overrun: "ran out of time",
  refused: "refused to play",
  "illegal-move": "chose an illegal move",
  "bad-answer": "gave an invalid answer",
};
/** @type {Record<string, string>} */
const REGULAR_ENDINGS = {
  "no-move-left": "no move is left",
  "goal-reached": "the goal is reached",
  "move-limit": "the move limit is reached",
};

/**
 * The ending of a recorded game. Only a fault is recorded with a sentence.
 * @param {{ ending: string, fault: string | null }} record
 * @returns {GameEnding}
 */
export const recordedEnding = ({ ending, fault }) => ({
  kind: ending,
  fault: fault !== null,
  sentence: fault ?? REGULAR_ENDINGS[ending] ?? "",
});

/**
 * `Game over` for a regular ending, what the agent did for a fault.
 * @param {string} name of the agent
 * @param {GameEnding} ending
 */
export const headline = (name, { kind, fault }) => {
  if (fault) return `${name} ${faultInWords(kind)}`;
  return kind === "stopped" ? "Stopped" : "Game over";
};

/**
 * What follows the headline. Most sentences of the referee begin with the fault itself,
 * which is not repeated.
 * @param {GameEnding} ending
 */
export const afterHeadline = ({ kind, fault, sentence }) => {
  if (kind === "stopped" || sentence === "") return "";
  const words = faultInWords(kind);
  return fault && sentence.startsWith(words) ? sentence.slice(words.length) : `: ${sentence}`;
};

/** @param {string} kind */
const faultInWords = (kind) => FAULTS[kind] ?? `committed a fault (${kind})`;
