// One game that is watched: its name, board, figures, thoughts and ending.
import { Board } from "./board.js";
import { aside, element } from "./element.js";
import { makeEnding } from "./ending.js";
import { Readings } from "./readings.js";
import { Thoughts } from "./thoughts.js";

export class Lane {
  constructor(name, detail, side) {
    this.name = name;
    this.board = new Board(side);
    this.readings = new Readings(["Score", "Move", "Highest"]);
    this.thoughts = new Thoughts();
    this.endingPlace = element("div");
    this.element = element(
      "section",
      { class: "lane", "aria-label": name },
      element("h2", {}, name, aside(detail)),
      this.board.element,
      element("div", { class: "below" }, this.readings.element, this.endingPlace, this.thoughts.element),
    );
    this.clear();
  }

  clear() {
    this.moves = "";
    this.score = 0;
    this.ending = null;
    this.readings.clear();
    this.thoughts.clear();
    this.endingPlace.replaceChildren();
  }

  /** What the server says of this game; `milliseconds` is how long a slide may last. */
  set(state, milliseconds) {
    this.moves = this.moves.slice(0, state.from) + state.moves;
    this.score = state.score;
    if (state.step) this.board.step(state.step, state.board, milliseconds);
    else this.board.show(state.board);
    this.readings.set({ Score: state.score, Move: state.n, Highest: state.highest });
    this.thoughts.set(state.thought, this.moves.at(-1));
    this.ending = state.ending;
    this.endingPlace.replaceChildren(...(state.ending ? [makeEnding(this.name, state.ending)] : []));
  }
}

/** Parameters as a short text. */
export const parametersInWords = (parameters) =>
  Object.entries(parameters ?? {})
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
