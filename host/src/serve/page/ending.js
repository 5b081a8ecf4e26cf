// How a game ended, in words. A fault is the agent's, and is told as such.
import { element } from "./element.js";

const DEEDS = {
  crash: "crashed",
  panic: "panicked",
  hang: "did not answer",
  overrun: "overran its time",
  refused: "refused to play",
  "illegal-move": "made an illegal move",
  "bad-answer": "gave a bad answer",
};

/** The headline: `game over` for what ends every game, the deed for a fault. */
export const headline = (name, { kind, fault }) => {
  if (fault) return `${name} ${DEEDS[kind] ?? `ended with a fault (${kind})`}`;
  return kind === "stopped" ? "Stopped" : "Game over";
};

export const makeEnding = (name, ending) => {
  const sentence = ending.sentence ?? "";
  const words = ending.last_words ?? "";
  return element(
    "div",
    { class: ending.fault ? "ending fault" : "ending", "data-ending": ending.kind },
    element("p", {}, element("strong", {}, headline(name, ending)), sentence === "" ? "" : ": ", element("span", { class: "sentence" }, sentence)),
    words === "" ? null : element("p", { class: "meta" }, "Its last words:"),
    words === "" ? null : element("pre", {}, words),
  );
};
