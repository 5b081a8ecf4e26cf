// What an agent would play on a position, beside what was played.
import { element } from "../dom/element.js";
import { budgetInWords } from "../text/budget_label.js";
import { MoveEvaluationPanel } from "./move_evaluation.js";
import { disagreementInWords, isDifferent, moveInWords } from "./turning_points.js";
/** @import { Answer, AskedAgent } from "../net/server_json.js" */

export class AnswerCard {
  /** @param {AskedAgent} agent */
  constructor({ name, budget }) {
    this.move = element("strong", { class: "own-move" }, "…");
    this.verdict = element("span", { class: "verdict" });
    this.evaluation = new MoveEvaluationPanel();
    this.element = element(
      "section",
      { class: "answer", "aria-label": `Answer of ${name}` },
      element("h3", {}, name, budget === null ? null : element("small", {}, budgetInWords(budget))),
      element("p", {}, this.move, " ", this.verdict),
      this.evaluation.element,
    );
  }

  /** @param {Answer} answer */
  set(answer) {
    this.move.textContent = moveInWords(answer.direction);
    this.verdict.textContent = disagreementInWords(answer);
    this.element.dataset.direction = answer.direction;
    this.element.classList.toggle("differs", isDifferent(answer));
    this.evaluation.set(answer.evaluation, answer.direction, answer.played);
  }

  /**
   * The agent has not answered.
   * @param {string} sentence that says why
   */
  fail(sentence) {
    this.move.textContent = "No answer:";
    this.verdict.textContent = sentence;
    this.element.classList.add("failed");
  }
}
