// The ending of a game, shown below its board.
import { element } from "../dom/element.js";
import { afterHeadline, headline } from "../text/ending.js";
/** @import { GameEnding } from "../net/server_json.js" */

/**
 * The headline and the sentence of an ending.
 * @param {string} name of the agent
 * @param {GameEnding} ending
 */
export const endingSentence = (name, ending) => [
  element("strong", {}, headline(name, ending)),
  element("span", { class: "sentence" }, afterHeadline(ending)),
];

/**
 * @param {string} name of the agent
 * @param {GameEnding} ending
 */
export const makeEndingNote = (name, ending) => {
  const stderrTail = ending.stderr_tail ?? "";
  return element(
    "div",
    { class: ending.fault ? "ending fault" : "ending", "data-ending": ending.kind },
    element("p", {}, endingSentence(name, ending)),
    stderrTail === "" ? null : element("p", { class: "meta" }, "Last lines on stderr:"),
    stderrTail === "" ? null : element("pre", {}, stderrTail),
  );
};
