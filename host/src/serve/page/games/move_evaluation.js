// How an agent evaluated its last move: a bar per direction, and the work it reported.
import { element, visuallyHidden } from "../dom/element.js";
import { DIRECTIONS, arrow, inWords } from "../text/directions.js";
import { NONE, count, microseconds } from "../../../report/html/number.js";
/** @import { MoveEvaluation } from "../net/server_json.js" */

// The bar of the worst direction is not empty, so that it can be seen.
const SHORTEST_BAR = 0.12;

/**
 * The length of each bar as a share of the longest. The bars span from the worst to the best
 * value of one move; they do not compare different moves.
 * @param {(number | null)[]} values
 */
export const barLengths = (values) => {
  const known = values.filter((value) => value !== null);
  const lowest = Math.min(...known);
  const range = Math.max(...known) - lowest;
  return values.map((value) => {
    if (value === null) return 0;
    return range === 0 ? 1 : SHORTEST_BAR + (1 - SHORTEST_BAR) * (value - lowest) / range;
  });
};

/**
 * Depth, nodes and CPU time, as far as the agent reported them.
 * @param {MoveEvaluation} evaluation
 */
export const effortInWords = ({ depth, nodes, cpu_us: cpuTime }) => {
  const parts = [];
  if (depth !== null) parts.push(`depth ${count(depth)}`);
  if (nodes !== null) parts.push(`${count(nodes)} nodes`);
  parts.push(`${microseconds(cpuTime)} CPU`);
  return parts.join(" · ");
};

/**
 * A value on a scale that only its agent knows: four significant digits, or all digits
 * before the decimal point.
 * @param {number} value
 */
export const agentValue = (value) => {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-3) return value.toExponential(2);
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(4, Math.ceil(Math.log10(size))) });
};

export class MoveEvaluationPanel {
  constructor() {
    this.rows = DIRECTIONS.map((direction) => {
      const bar = element("span", { class: "bar" });
      const value = element("span", { class: "value" });
      const mark = visuallyHidden("");
      const name = element("span", {}, element("span", { "aria-hidden": "true" }, arrow(direction)), visuallyHidden(inWords(direction)));
      const track = element("span", { class: "track" }, bar);
      return { direction, bar, value, mark, element: element("li", {}, name, track, value, mark) };
    });
    this.effort = element("p", { class: "meta effort" });
    this.list = element("ol", { class: "values", role: "list" }, this.rows.map((row) => row.element));
    this.element = element("div", { class: "evaluation", hidden: true }, this.list, this.effort);
  }

  /**
   * @param {MoveEvaluation | null} evaluation
   * @param {string | undefined} chosen the direction of the move
   */
  set(evaluation, chosen) {
    this.element.hidden = evaluation === null;
    if (evaluation === null) return;
    const { values } = evaluation;
    // An agent that reports no values may still report its work.
    this.list.hidden = values.every((value) => value === null);
    const lengths = barLengths(values);
    this.rows.forEach((row, index) => {
      const value = values[index] ?? null;
      row.bar.style.width = `${100 * (lengths[index] ?? 0)}%`;
      row.value.textContent = value === null ? NONE : agentValue(value);
      const isChosen = row.direction === chosen;
      row.element.classList.toggle("chosen", isChosen);
      row.mark.textContent = isChosen ? "chosen" : "";
    });
    this.effort.textContent = effortInWords(evaluation);
  }

  clear() {
    this.element.hidden = true;
  }
}
