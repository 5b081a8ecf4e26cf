// One recorded game in a replay: name, board, figures and ending.
import { aside, element } from "../dom/element.js";
import { ExplainLink, settingsOf } from "../explain/position.js";
import { budgetInWords } from "../text/budget_label.js";
import { arrow, inWords } from "../text/directions.js";
import { afterHeadline, headline } from "../text/ending.js";
import { NONE, count } from "../shared/number.js";
import { Board } from "../shared/board.js";
import { GameStats } from "./game_stats.js";
import { OwnText } from "./move_evaluation.js";
/** @import { Position, RecordedGame } from "../net/recorded_game.js" */
/** @import { WholeGame } from "../net/server_json.js" */

export class ReplayPanel {
  #shownMove = -1;
  /** @type {(string | null)[]} */
  #texts = [];

  /** @param {RecordedGame} game */
  constructor(game) {
    this.game = game;
    const { agent, budget, size } = game.details;
    this.board = new Board(size);
    this.stats = new GameStats(["Score", "Move", "Highest", "Last move"]);
    this.explain = new ExplainLink(settingsOf(game.details));
    this.text = new OwnText();
    this.end = element("p", { class: "ending", "data-replay-end": "" });
    this.element = element("section", { class: "game", "aria-label": agent },
      element("h2", {}, element("span", { class: "name", title: agent }, agent), aside(budget === null ? null : budgetInWords(budget))), this.board.element,
      element("div", { class: "below-board" }, this.stats.element, this.text.element, this.end, this.explain.element));
  }

  /** @param {(string | null)[]} texts that the agent wrote about its moves */
  setTexts(texts) {
    this.#texts = texts;
    // Nothing jumps while the game plays.
    texts.forEach((text) => this.text.reserve(text));
    this.#showText();
  }

  #showText() {
    this.text.set(this.#texts[this.#shownMove - 1] ?? null);
  }

  /**
   * @param {Position} position
   * @param {number} milliseconds how long a slide may take
   */
  show({ n, board, score, step }, milliseconds) {
    if (step && n === this.#shownMove + 1 && milliseconds > 0) this.board.step(step, board, milliseconds);
    else this.board.show(board);
    this.#shownMove = n;
    this.explain.set(n < this.game.nMoves ? board : null);
    this.#showText();
    const lastMove = step ? `${arrow(step.direction)} ${inWords(step.direction)}` : NONE;
    this.stats.set(
      { Score: score, Move: n, Highest: 2 ** Math.max(...board), "Last move": lastMove },
      { Move: `of ${count(this.game.nMoves)}` },
    );
    this.end.textContent = n < this.game.nMoves ? "" : replayEnd(this.game.details, score);
  }
}

/**
 * What is shown at the end of a replay: the ending, or that the record is wrong.
 * @param {WholeGame} details
 * @param {number} score of the replayed moves
 */
export const replayEnd = (details, score) => {
  if (score !== details.score) {
    return `The recorded score is ${count(details.score)}, but the moves score ${count(score)}. Verify the run for details.`;
  }
  return `${headline(details.agent, details.end)}${afterHeadline(details.end)}. The score matches the record.`;
};
