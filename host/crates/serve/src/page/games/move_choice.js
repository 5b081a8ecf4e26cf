// How an agent chose its last move: on which board, with the move as an arrow, and its values.
import { element } from "../dom/element.js";
import { miniBoard } from "../explain/mini_board.js";
import { count } from "../shared/number.js";
import { arrow, inWords } from "../text/directions.js";
import { MoveEvaluationPanel } from "./move_evaluation.js";
/** @import { Cells, Direction, GameUpdate, Step } from "../net/server_json.js" */

/**
 * The board before a move: the tiles go back to where they came from.
 * @param {Step} step
 * @param {Cells} after
 * @returns {Cells}
 */
export const boardBefore = ({ slides }, after) => {
  /** @type {Cells} */
  const before = after.map(() => 0);
  for (const [from, to] of slides) {
    const isMerged = slides.filter(([, other]) => other === to).length > 1;
    before[from] = (after[to] ?? 0) - (isMerged ? 1 : 0);
  }
  return before;
};

/**
 * An arrow over a board.
 * @param {Direction} direction
 * @param {string} kind `played` or `asked`
 */
export const moveArrow = (direction, kind) => element("span", { class: `move-arrow ${kind}`, "data-direction": direction, "aria-hidden": "true" });

export class MoveChoice {
  /** @param {string} name of the agent */
  constructor(name) {
    this.name = name;
    this.title = element("h3", {}, `How ${name} chose its move`);
    this.board = element("div", { class: "chosen-on" });
    this.evaluation = new MoveEvaluationPanel();
    this.element = element("section", { class: "choice", "aria-label": `How ${name} chose its move`, hidden: true },
      this.title, element("div", { class: "choice-parts" }, this.board, this.evaluation.element));
  }

  /**
   * @param {Pick<GameUpdate, "board" | "evaluation" | "n" | "step">} update
   * @param {string | undefined} chosen the direction of the move
   */
  set({ board, evaluation, n, step }, chosen) {
    this.evaluation.set(evaluation, chosen);
    this.element.hidden = evaluation === null;
    this.board.hidden = !step;
    if (evaluation === null || !step) return;
    this.title.replaceChildren(`How ${this.name} chose ${arrow(step.direction)} ${inWords(step.direction)} `, element("small", {}, `move ${count(n)}`));
    this.board.replaceChildren(miniBoard(boardBefore(step, board)), moveArrow(step.direction, "played"));
  }

  clear() {
    this.element.hidden = true;
    this.evaluation.clear();
  }
}
