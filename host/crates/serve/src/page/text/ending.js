// How a game ended, in words. The headline of a fault names the agent and what it did.
/** @import { GameEnding } from "../net/server_json.js" */

/**
 * `Game over` for a regular ending, what the agent did for a fault.
 * @param {string} name of the agent
 * @param {GameEnding} ending
 */
export const headline = (name, { kind, fault, words }) => {
  if (fault) return `${name} ${words}`;
  return kind === "stopped" ? "Stopped" : "Game over";
};

/**
 * What follows the headline. Most sentences of the referee begin with the fault itself,
 * which is not repeated.
 * @param {GameEnding} ending
 */
export const afterHeadline = ({ kind, fault, words, sentence }) => {
  if (kind === "stopped") return "";
  return fault && sentence.startsWith(words) ? sentence.slice(words.length) : `: ${sentence}`;
};
