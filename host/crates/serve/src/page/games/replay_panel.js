// One recorded game in a replay: name, board, figures and ending.
import { aside, element } from "../dom/element.js";
import { ExplainLink, settingsOf } from "../explain/position.js";
import { budgetInWords } from "../text/budget_label.js";
import { arrow, inWords } from "../text/directions.js";
import { afterHeadline, headline } from "../text/ending.js";
import { NONE, count } from "../shared/number.js";
import { Board } from "../shared/board.js";
import { GameStats } from "./game_stats.js";
import { moveArrow } from "./move_choice.js";
import { OwnText } from "./move_evaluation.js";
/** @import { Position, RecordedGame } from "../net/recorded_game.js" */
/** @import { Direction, WholeGame } from "../net/server_json.js" */

export class ReplayPanel {
  #shownMove = -1;

  /** @param {RecordedGame} game */
  constructor(game) {
    this.game = game;
    const { agent, budget, size } = game.details;
    this.board = new Board(size);
    this.stats = new GameStats(["Score", "Move", "Highest", "Last move"]);
    this.explain = new ExplainLink(settingsOf(game.details));
    this.text = new OwnText();
    this.end = element("p", { class: "ending", "data-replay-end": "" });
    this.stage = element("div", { class: "stage" }, this.board.element);
    this.element = element("section", { class: "game", "aria-label": agent },
      element("h2", {}, element("span", { class: "name", title: agent }, agent), aside(budget === null ? null : budgetInWords(budget))), this.stage,
      element("div", { class: "below-board" }, this.stats.element, this.text.element, this.end, this.explain.element));
  }

  /**
   * Draws the move that is played next, and those of agents that were asked.
   * @param {Direction[]} asked
   */
  setArrows(asked) {
    this.stage.querySelectorAll(".move-arrow").forEach((old) => old.remove());
    const next = this.game.details.moves[this.#shownMove];
    const played = /** @type {Direction | undefined} */ (next);
    const others = new Set(asked.filter((direction) => direction !== played));
    if (asked.length > 0 && played !== undefined) this.stage.append(moveArrow(played, "played"));
    this.stage.append(...[...others].map((direction) => moveArrow(direction, "asked")));
  }

  /**
   * @param {Position} position
   * @param {number} milliseconds how long a slide may take
   */
  show({ n, board, score, step, thought }, milliseconds) {
    if (step && n === this.#shownMove + 1 && milliseconds > 0) this.board.step(step, board, milliseconds);
    else this.board.show(board);
    this.#shownMove = n;
    this.explain.set(n < this.game.nMoves ? board : null);
    this.text.set(thought?.text ?? null);
    this.setArrows([]);
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
