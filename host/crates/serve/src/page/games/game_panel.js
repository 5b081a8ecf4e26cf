// One game that is being played: name, board, figures, evaluation and ending.
import { aside, element } from "../dom/element.js";
import { ExplainLink } from "../explain/position.js";
import { Board } from "../shared/board.js";
import { decimals } from "../shared/number.js";
import { makeEndingNote } from "./ending_note.js";
import { GameStats } from "./game_stats.js";
import { MoveChoice } from "./move_choice.js";
/** @import { GameEnding, GameUpdate } from "../net/server_json.js" */

export class GamePanel {
  moves = "";
  score = 0;
  highest = 0;
  nEmpty = 0;
  /** @type {GameEnding | null} */
  ending = null;

  /**
   * @param {string} name
   * @param {string} detail shown after the name
   * @param {number} side
   * @param {("Score" | "Best" | "Move" | "Highest")[]} [figures]
   * @param {Record<string, string>} [settings] what distinguishes its rules from the usual ones
   */
  constructor(name, detail, side, figures = ["Score", "Move", "Highest"], settings = {}) {
    this.name = name;
    this.explain = new ExplainLink(settings);
    this.board = new Board(side);
    this.thinks = element("p", { class: "thinks", hidden: true });
    this.stage = element("div", { class: "stage" }, this.board.element, this.thinks);
    this.stats = new GameStats(figures);
    this.choice = new MoveChoice(name);
    this.endingArea = element("div");
    this.element = element(
      "section",
      { class: "game", "aria-label": name },
      element("h2", {}, element("span", { class: "name", title: name }, name), aside(detail)),
      this.stage,
      element("div", { class: "below-board" }, this.stats.element, this.endingArea, this.choice.element, this.explain.element),
    );
  }

  /**
   * Says that the agent is thinking about its move, and for how long.
   * @param {number | null} seconds null while it is not
   */
  setThinking(seconds) {
    this.thinks.hidden = seconds === null;
    this.thinks.textContent = seconds === null ? "" : `thinking for ${decimals(seconds, 1)} s`;
  }

  clear() {
    this.moves = "";
    this.score = 0;
    this.ending = null;
    this.stats.clear();
    this.choice.clear();
    this.explain.set(null);
    this.endingArea.replaceChildren();
  }

  /**
   * @param {Omit<GameUpdate, "game">} update
   * @param {number} milliseconds how long a slide may take
   */
  set(update, milliseconds) {
    this.moves = this.moves.slice(0, update.from) + update.moves;
    this.score = update.score;
    this.highest = update.highest;
    this.nEmpty = update.board.filter((exponent) => exponent === 0).length;
    if (update.step) this.board.step(update.step, update.board, milliseconds);
    else this.board.show(update.board);
    this.stats.set({ Score: update.score, Move: update.n, Highest: update.highest });
    if (update.step && update.step.gain > 0 && milliseconds > 0) this.stats.grow("Score", update.step.gain);
    this.choice.set(update, this.moves.at(-1));
    this.ending = update.ending;
    this.explain.set(update.ending === null ? update.board : null);
    this.endingArea.replaceChildren(...(update.ending ? [makeEndingNote(this.name, update.ending)] : []));
  }
}
