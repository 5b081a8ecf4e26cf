// How a game ended, in words. A fault is the agent's, and is told as such.
import { element } from "./element.js";

// The words of the host, see `Ending::sentence`.
const DEEDS = {
  crash: "crashed",
  panic: "panicked",
  hang: "gave no answer",
  overrun: "ran out of time",
  refused: "refused to play",
  "illegal-move": "chose an illegal move",
  "bad-answer": "gave an answer that is none",
};

const ENDS = {
  "no-move-left": "no move is left",
  "goal-reached": "the goal is reached",
  "move-limit": "the limit of moves is reached",
};

/** An ending as a record has it: a kind, and a sentence if it is a fault. */
export const recordedEnding = ({ ending, fault }) => ({ kind: ending, fault: Boolean(fault), sentence: fault ?? ENDS[ending] ?? "" });

/** `Game over` for what ends every game, the deed for a fault. */
export const headline = (name, { kind, fault }) => {
  if (fault) return `${name} ${deedOf(kind)}`;
  return kind === "stopped" ? "Stopped" : "Game over";
};

/** What follows the headline. Most sentences of the referee begin with the deed itself. */
export const afterHeadline = ({ kind, fault, sentence }) => {
  if (kind === "stopped" || !sentence) return "";
  if (fault && sentence.startsWith(deedOf(kind))) return sentence.slice(deedOf(kind).length);
  return `: ${sentence}`;
};

const deedOf = (kind) => DEEDS[kind] ?? `ended with a fault (${kind})`;

export const makeEnding = (name, ending) => {
  const words = ending.last_words ?? "";
  return element(
    "div",
    { class: ending.fault ? "ending fault" : "ending", "data-ending": ending.kind },
    element("p", {}, element("strong", {}, headline(name, ending)), element("span", { class: "sentence" }, afterHeadline(ending))),
    words === "" ? null : element("p", { class: "meta" }, "Its last words:"),
    words === "" ? null : element("pre", {}, words),
  );
};
