// How an agent evaluated its last move: a bar per direction, and the work it reported.
import { element, visuallyHidden } from "../dom/element.js";
import { DIRECTIONS, arrow, inWords } from "../text/directions.js";
import { NONE, count, counted, decimals, microseconds } from "../shared/number.js";
/** @import { MoveEvaluation } from "../net/server_json.js" */

// Long enough that even the shortest bar is visible.
const SHORTEST_BAR = 0.02;
/** What stands instead of a value. */
const STATE_WORDS = { illegal: "illegal", pruned: "pruned", lost: "−∞", valued: null, unvalued: null };
const UNITS = ["", " k", " M", " G", " T", " P", " E"];

/**
 * The length of each bar as a share of the longest. Bars start at zero, so nearly equal values
 * look nearly equal; with negative values they start at the lowest.
 * @param {(number | null)[]} values
 */
export const barLengths = (values) => {
  const known = values.filter((value) => value !== null);
  const start = Math.min(0, ...known);
  const range = Math.max(...known) - start;
  return values.map((value) => {
    if (value === null) return 0;
    return range === 0 ? 1 : Math.max(SHORTEST_BAR, (value - start) / range);
  });
};

/**
 * The place of each direction, counted from 1; equal values share a place.
 * @param {(number | null)[]} values
 */
export const placesOf = (values) => values.map((value) => {
  if (value === null) return null;
  return 1 + values.filter((other) => other !== null && other > value).length;
});

/**
 * Depth, nodes and numbers of its own, as far as the agent reported them, and CPU time.
 * @param {MoveEvaluation} evaluation
 */
export const effortInWords = ({ depth, nodes, cpu_us: cpuTime, numbers = [] }) => {
  const parts = [];
  if (depth !== null) parts.push(`${counted(depth, "move")} deep`);
  if (nodes !== null) parts.push(`${count(nodes)} nodes`);
  parts.push(...numbers.map(([name, value]) => `${name} ${ownNumber(value)}`), `${microseconds(cpuTime)} CPU`);
  return parts.join(" · ");
};

/**
 * A value on a scale that only its agent knows.
 * @param {number} value
 * @param {number} nDigits that are significant
 */
const withUnit = (value, nDigits) => {
  const size = Math.abs(value);
  if (size > 0 && (size < 1e-3 || size >= 1e21)) return value.toExponential(2).replace("-", "−");
  const step = size < 1e5 ? 0 : Math.floor(Math.log10(size) / 3);
  const scaled = size / 1000 ** step;
  const digits = scaled >= 1000 ? 0 : Math.max(0, nDigits - 1 - Math.floor(Math.log10(scaled || 1)));
  return decimals(value / 1000 ** step, size === 0 ? 0 : digits).replace("-", "−") + (UNITS[step] ?? "");
};

/** @param {number} value */
export const agentValue = (value) => withUnit(value, 4);

/**
 * A number of its agent's own, which often counts something.
 * @param {number} value
 */
export const ownNumber = (value) => (Number.isInteger(value) && Math.abs(value) < 1e5 ? decimals(value, 0).replace("-", "−") : agentValue(value));

/** @param {number} difference of two values */
export const agentDifference = (difference) => withUnit(difference, 3);

/**
 * How far each value is behind the best one, which is `best`.
 * @param {(number | null)[]} values
 * @returns {string[]}
 */
export const behindBest = (values) => {
  const best = Math.max(...values.filter((value) => value !== null));
  return values.map((value) => {
    if (value === null) return NONE;
    // Differences of sums are exact to about fifteen digits of the sums.
    const isBest = Math.abs(value - best) <= Math.abs(best) * 1e-12;
    return isBest ? "best" : agentDifference(best - value);
  });
};

/** What an agent wrote about its move, in a place that fits the longest text so far. */
export class OwnText {
  #longest = "";

  constructor() {
    this.words = element("span");
    this.element = element("p", { class: "meta own-text", hidden: true }, this.words);
  }

  /** @param {string | null} text that has to fit */
  reserve(text) {
    if (text === null || text.length <= this.#longest.length) return;
    this.#longest = text;
    this.element.hidden = false;
    this.element.dataset.longest = `“${text}”`;
  }

  /** @param {string | null} text */
  set(text) {
    this.reserve(text);
    this.words.textContent = text === null ? "" : `“${text}”`;
  }

  clear() {
    this.#longest = "";
    this.element.hidden = true;
    this.set(null);
  }
}

export class MoveEvaluationPanel {
  /** @param {(values: (number | null)[]) => string[]} [texts] what stands at the bars */
  constructor(texts = behindBest) {
    this.texts = texts;
    this.rows = DIRECTIONS.map((direction) => {
      const bar = element("span", { class: "bar" });
      const value = element("span", { class: "value" });
      const mark = visuallyHidden("");
      const place = element("span", { class: "place" });
      const name = element("span", {}, element("span", { "aria-hidden": "true" }, arrow(direction)), visuallyHidden(inWords(direction)));
      const track = element("span", { class: "track" }, bar);
      return { direction, place, bar, value, mark, element: element("li", {}, place, name, track, value, mark) };
    });
    this.effort = element("p", { class: "meta effort" });
    this.text = new OwnText();
    this.best = element("b");
    this.heads = element("p", { class: "meta value-heads" }, element("span", {}, "value of its move ", this.best), element("span", {}, "behind the best"));
    this.list = element("ol", { class: "values", role: "list" }, this.rows.map((row) => row.element));
    this.element = element("div", { class: "evaluation", hidden: true }, this.heads, this.list, this.effort, this.text.element);
  }

  /**
   * @param {MoveEvaluation | null} evaluation
   * @param {string | undefined} chosen the direction of the move
   * @param {string | null} [played] the direction that was played instead
   */
  set(evaluation, chosen, played = null) {
    this.element.hidden = evaluation === null;
    if (evaluation === null) return;
    const { values, states } = evaluation;
    // An agent that reports no values may still report its work.
    this.list.hidden = values.every((value) => value === null);
    // Whole values need no heads.
    this.heads.hidden = this.list.hidden || this.texts !== behindBest;
    const own = values[DIRECTIONS.findIndex((direction) => direction === chosen)] ?? null;
    this.best.textContent = own === null ? NONE : agentValue(own);
    const lengths = barLengths(values);
    const places = placesOf(values);
    const texts = this.list.hidden ? [] : this.texts(values);
    this.rows.forEach((row, index) => {
      row.bar.style.width = `${100 * (lengths[index] ?? 0)}%`;
      row.place.textContent = String(places[index] ?? NONE);
      const state = states?.[index];
      row.value.textContent = STATE_WORDS[state ?? "valued"] ?? texts[index] ?? NONE;
      const isChosen = row.direction === chosen;
      row.element.classList.toggle("chosen", isChosen);
      row.mark.textContent = isChosen ? "chosen" : "";
      row.element.classList.toggle("played", row.direction === played && !isChosen);
    });
    this.effort.textContent = effortInWords(evaluation);
    this.text.set(evaluation.text ?? null);
  }

  clear() {
    this.element.hidden = true;
    this.text.clear();
  }
}
