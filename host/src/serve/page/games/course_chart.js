// The course of one game or two: score, highest tile and empty cells over the moves. A click
// or the arrow keys of the slider go to a move.
import { element } from "../dom/element.js";
import { count } from "../../../report/html/number.js";
/** @import { CurvePoint } from "../net/server_json.js" */
/** @import { GameCourse } from "./parting.js" */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [1000, 60];

/**
 * The lines of the chart: what they show of a point.
 * @type {{ name: string, of: (point: CurvePoint) => number, text: (value: number) => string }[]}
 */
const LINES = [
  { name: "Score", of: ([, score]) => score, text: count },
  { name: "Highest tile", of: ([, , highest]) => highest, text: (exponent) => count(2 ** exponent) },
  { name: "Empty cells", of: ([, , , nEmpty]) => nEmpty, text: count },
];

/**
 * A line through points, scaled to the drawing.
 * @param {CurvePoint[]} points
 * @param {(point: CurvePoint) => number} of
 * @param {number} lastMove
 * @param {number} highest
 */
export const linePath = (points, of, lastMove, highest) => {
  const places = points.map((point) => {
    const x = point[0] / Math.max(1, lastMove) * WIDTH;
    const y = HEIGHT - 2 - of(point) / Math.max(1, highest) * (HEIGHT - 4);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${places.join("L")}`;
};

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 */
const drawn = (tag, attributes) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

export class CourseChart {
  #lastMove = 1;
  /** @type {SVGElement[]} */
  #cursors = [];
  /** @type {{ output: HTMLElement, read: (move: number) => string }[]} */
  #readings = [];

  /** @param {(move: number) => void} onChoose called with the move that was clicked */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.lines = element("div", { class: "course-lines" });
    this.element = element("section", { class: "course", "aria-label": "Course of the game", hidden: true }, this.lines);
  }

  /** @param {GameCourse[]} courses */
  show(courses) {
    this.element.hidden = courses.length === 0;
    this.#lastMove = Math.max(1, ...courses.map(({ points }) => points.at(-1)?.[0] ?? 0));
    this.#cursors = [];
    this.#readings = [];
    this.lines.replaceChildren(...LINES.map((line) => this.#makeLine(line, courses)));
  }

  /**
   * @param {(typeof LINES)[number]} line
   * @param {GameCourse[]} courses
   */
  #makeLine({ name, of, text }, courses) {
    const highest = Math.max(1, ...courses.flatMap(({ points }) => points.map(of)));
    const drawing = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    drawing.setAttribute("aria-label", `${name} over the moves, up to ${text(highest)}`);
    courses.forEach(({ points }, index) => {
      drawing.append(drawn("path", { class: `line of-${index + 1}`, d: linePath(points, of, this.#lastMove, highest) }));
    });
    const cursor = drawn("line", { class: "cursor", y1: "0", y2: String(HEIGHT), x1: "0", x2: "0" });
    drawing.append(cursor);
    this.#cursors.push(cursor);
    drawing.addEventListener("click", (event) => {
      const box = drawing.getBoundingClientRect();
      this.onChoose(Math.round((event.clientX - box.left) / box.width * this.#lastMove));
    });
    const outputs = courses.map(({ name: agent, points }, index) => {
      const output = element("b", { class: `of-${index + 1}`, title: agent });
      const at = (/** @type {number} */ move) => points.findLast(([number]) => number <= move);
      this.#readings.push({ output, read: (move) => {
        const point = at(move);
        return point === undefined ? "" : text(of(point));
      } });
      return output;
    });
    return element("div", { class: "course-line" }, element("span", { class: "meta" }, name, " ", outputs), drawing);
  }

  /**
   * Marks a move.
   * @param {number} move
   */
  mark(move) {
    const x = String(move / this.#lastMove * WIDTH);
    for (const cursor of this.#cursors) {
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
    for (const { output, read } of this.#readings) output.textContent = read(move);
  }
}
