// The course of one game or two: score, highest tile, empty cells and what agents say, over
// the moves or over the score. A click goes to a move.
import { element } from "../dom/element.js";
import { count, counted } from "../shared/number.js";
/** @import { CurvePoint } from "../net/server_json.js" */
/** @import { GameCourse } from "./parting.js" */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [1000, 60];

/** @typedef {"moves" | "score"} Axis */

/**
 * A curve: a value after each move that has one. `game` is the place of its game.
 * @typedef {{ game: number, name: string, points: [number, number][] }} Curve
 */

/**
 * Curves that share a scale.
 * @typedef {object} CourseLine
 * @property {string} name
 * @property {Curve[]} curves
 * @property {(value: number) => string} text
 * @property {boolean} [startsAtZero] false if only differences matter
 */

/**
 * A move that is worth looking at.
 * @typedef {{ move: number, text: string }} CourseMark
 */

/**
 * What the chart shows of a point, by its axis: on an axis of scores the score itself would
 * be a straight line.
 * @type {{ name: string, axis: Axis | null, of: (point: CurvePoint) => number, text: (value: number) => string }[]}
 */
const LINES = [
  { name: "Score", axis: "moves", of: ([, score]) => score, text: count },
  { name: "Moves", axis: "score", of: ([move]) => move, text: count },
  { name: "Highest tile", axis: null, of: ([, , highest]) => highest, text: (exponent) => count(2 ** exponent) },
  { name: "Empty cells", axis: null, of: ([, , , nEmpty]) => nEmpty, text: count },
];

/**
 * A line through places from 0 to 1, scaled to the drawing.
 * @param {[number, number][]} places
 */
export const linePath = (places) => {
  const scaled = places.map(([x, y]) => `${(x * WIDTH).toFixed(1)} ${(HEIGHT - 2 - y * (HEIGHT - 4)).toFixed(1)}`);
  return scaled.length === 0 ? "" : `M${scaled.join("L")}`;
};

/**
 * The last of the points that is not after a move.
 * @template {[number, ...number[]]} Point
 * @param {Point[]} points in the order of the moves
 * @param {number} move
 * @returns {Point | undefined}
 */
export const pointAt = (points, move) => {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.[0] ?? 0) <= move) low = middle + 1;
    else high = middle;
  }
  return points[low - 1];
};

/**
 * The move on which a game first has a score.
 * @param {CurvePoint[]} points
 * @param {number} score
 */
export const moveOfScore = (points, score) => points.find(([, reached]) => reached >= score)?.[0] ?? points.at(-1)?.[0] ?? 0;

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
  /** @type {GameCourse[]} */
  #courses = [];
  /** @type {CourseLine[]} */
  #opinions = [];
  /** @type {CourseMark[]} */
  #marks = [];
  #move = 0;
  /** @type {Axis} */
  #axis = "moves";
  /** @type {{ cursor: SVGElement, game: number }[]} */
  #cursors = [];
  /** @type {{ output: HTMLElement, read: (move: number) => string }[]} */
  #readings = [];

  /** @param {((move: number) => void) | null} onChoose called with the move that was clicked */
  constructor(onChoose) {
    this.onChoose = onChoose;
    /** @type {(axis: Axis, label: string) => HTMLButtonElement} */
    const choice = (axis, label) => element("button", { type: "button", "data-axis": axis, "aria-pressed": String(axis === "moves"), click: () => this.#setAxis(axis) }, label);
    this.choices = [choice("moves", "over the moves"), choice("score", "over the score")];
    this.axisChoice = element("div", { class: "axis-choice", role: "group", "aria-label": "Axis", hidden: true }, this.choices);
    this.lines = element("div", { class: "course-lines" });
    this.end = element("p", { class: "meta axis" });
    this.legend = element("p", { class: "meta legend", hidden: true });
    this.element = element("section", { class: "course", "aria-label": "Course of the game", hidden: true }, this.axisChoice, this.legend, this.lines, this.end);
    this.element.classList.toggle("fixed", onChoose === null);
  }

  /** @param {GameCourse[]} courses */
  show(courses) {
    this.#courses = courses;
    this.#opinions = [];
    this.#marks = [];
    this.axisChoice.hidden = courses.length < 2;
    if (courses.length < 2) this.#axis = "moves";
    this.legend.hidden = courses.length < 2;
    this.legend.replaceChildren(...courses.map(({ name }, index) => element("b", { class: `of-${index + 1}` }, name)));
    this.#draw();
  }

  /**
   * What agents say about the games, and the moves to mark.
   * @param {CourseLine[]} lines
   * @param {CourseMark[]} marks
   */
  setOpinions(lines, marks) {
    this.#opinions = lines;
    this.#marks = marks;
    this.#draw();
  }

  /** @param {Axis} axis */
  #setAxis(axis) {
    this.#axis = axis;
    for (const choice of this.choices) choice.setAttribute("aria-pressed", String(choice.dataset.axis === axis));
    this.#draw();
  }

  /** The end of the axis. */
  get #last() {
    const place = this.#axis === "moves" ? 0 : 1;
    return Math.max(1, ...this.#courses.map(({ points }) => points.at(-1)?.[place] ?? 0));
  }

  /**
   * Where a move is on the axis, from 0 to 1.
   * @param {number} game
   * @param {number} move
   */
  #place(game, move) {
    if (this.#axis === "moves") return Math.min(1, move / this.#last);
    return (pointAt(this.#courses[game]?.points ?? [], move)?.[1] ?? 0) / this.#last;
  }

  #draw() {
    const courses = this.#courses;
    this.element.hidden = courses.length === 0;
    this.#cursors = [];
    this.#readings = [];
    const lines = LINES.filter(({ axis }) => axis === null || axis === this.#axis).map(({ name, of, text }) => ({
      name,
      text,
      curves: courses.map((course, game) => ({
        game,
        name: course.name,
        points: course.points.map((point) => /** @type {[number, number]} */ ([point[0], of(point)])),
      })),
    }));
    this.lines.replaceChildren(...[...lines, ...this.#opinions].map((line) => this.#makeLine(line)));
    this.end.textContent = this.#axis === "moves" ? counted(this.#last, "move") : counted(this.#last, "point");
    this.mark(this.#move);
  }

  /** @param {CourseLine} line */
  #makeLine({ name, curves, text, startsAtZero = true }) {
    const values = curves.flatMap(({ points }) => points.map(([, value]) => value));
    const highest = values.reduce((most, value) => Math.max(most, value), startsAtZero ? 1 : -Infinity);
    const lowest = startsAtZero ? 0 : values.reduce((least, value) => Math.min(least, value), Infinity);
    const scale = highest > lowest ? highest - lowest : 1;
    const drawing = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    drawing.setAttribute("aria-label", `${name} over the ${this.#axis}, up to ${values.length === 0 ? 0 : text(highest)}`);
    for (const { move, text: title } of this.#marks) {
      const x = String(this.#place(0, move) * WIDTH);
      const mark = drawn("line", { class: "turning-point", y1: "0", y2: String(HEIGHT), x1: x, x2: x });
      const hint = drawn("title", {});
      hint.textContent = title;
      mark.append(hint);
      drawing.append(mark);
    }
    curves.forEach(({ game, points }, index) => {
      const places = points.map(([move, value]) => /** @type {[number, number]} */ ([this.#place(game, move), (value - lowest) / scale]));
      drawing.append(drawn("path", { class: `line of-${colourOf(curves, index)}`, d: linePath(places) }));
    });
    if (this.onChoose !== null) {
      for (const { game } of curves.slice(0, this.#axis === "moves" ? 1 : undefined)) {
        const cursor = drawn("line", { class: "cursor", y1: "0", y2: String(HEIGHT), x1: "0", x2: "0" });
        drawing.append(cursor);
        this.#cursors.push({ cursor, game });
      }
      drawing.addEventListener("click", (event) => {
        const box = drawing.getBoundingClientRect();
        this.onChoose?.(this.#moveAt((event.clientX - box.left) / box.width));
      });
    }
    const outputs = curves.map(({ name: agent, points }, index) => {
      const output = element("b", { class: `of-${colourOf(curves, index)}`, title: agent });
      this.#readings.push({ output, read: (move) => {
        const point = pointAt(points, move);
        return point === undefined ? "" : text(point[1]);
      } });
      return output;
    });
    return element("div", { class: "course-line" }, element("span", { class: "meta" }, element("span", {}, name), outputs), drawing);
  }

  /**
   * The move at a place of the axis. A score is looked up in the game that reaches it.
   * @param {number} share
   */
  #moveAt(share) {
    const wanted = Math.max(0, Math.min(1, share)) * this.#last;
    if (this.#axis === "moves") return Math.round(wanted);
    const course = this.#courses.find(({ points }) => (points.at(-1)?.[1] ?? 0) >= wanted);
    return moveOfScore(course?.points ?? [], wanted);
  }

  /**
   * Marks the move that is shown.
   * @param {number} move
   */
  mark(move) {
    this.#move = move;
    for (const { cursor, game } of this.#cursors) {
      const x = String(this.#place(game, move) * WIDTH);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
    // A chart that cannot be used to choose a move shows how the game ended.
    const read = this.onChoose === null ? Infinity : move;
    for (const { output, read: reading } of this.#readings) output.textContent = reading(read);
  }
}

/**
 * The colour of a curve: that of its game, unless several curves are about the same game.
 * @param {Curve[]} curves
 * @param {number} index
 */
const colourOf = (curves, index) => {
  const isOnePerGame = new Set(curves.map(({ game }) => game)).size === curves.length;
  return isOnePerGame ? (curves[index]?.game ?? 0) + 1 : index + 1;
};
