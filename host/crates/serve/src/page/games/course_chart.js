// The course of one game or two: score, highest tile, empty cells and what agents say, over
// the moves or over the score. One of these is drawn; the others show their reading and are
// drawn when chosen. A click goes to a move.
import { element } from "../dom/element.js";
import { count, counted, decimals } from "../shared/number.js";
/** @import { Position } from "../net/recorded_game.js" */
/** @import { CurvePoint } from "../net/server_json.js" */
/** @import { GameCourse } from "./parting.js" */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [1000, 160];
// Smaller tiles follow each other too closely to be named.
const SMALLEST_MILESTONE = 9;
// As a share of the axis.
const CLOSEST_MILESTONES = 0.07;

/** @typedef {"moves" | "score"} Axis */

/**
 * A curve: a value after each move that has one; where a point stands for several moves, their
 * median, and the range of most of them. `game` is the place of its game.
 * @typedef {{ game: number, name: string, points: ([number, number] | [number, number, number, number])[] }} Curve
 */

/**
 * Curves that share a scale.
 * @typedef {object} CourseLine
 * @property {string} name
 * @property {Curve[]} curves
 * @property {(value: number) => string} text
 * @property {boolean} [startsAtZero] false if only differences matter
 * @property {(position: Position, curve: Curve) => number | null | undefined} [read] the value at the position that is shown, if the points do not have every move
 */

/**
 * A move that is worth looking at.
 * @typedef {{ move: number, text: string }} CourseMark
 */

/**
 * What the chart shows of a point, by its axis: on an axis of scores the score itself would
 * be a straight line.
 * @type {{ name: string, axis: Axis | null, of: (point: CurvePoint) => number, text: (value: number) => string, read: (position: Position) => number }[]}
 */
const LINES = [
  { name: "Score", axis: "moves", of: ([, score]) => score, text: count, read: ({ score }) => score },
  { name: "Moves", axis: "score", of: ([move]) => move, text: count, read: ({ n }) => n },
  { name: "Highest tile", axis: null, of: ([, , highest]) => highest, text: (exponent) => count(2 ** exponent), read: ({ board }) => Math.max(...board) },
  { name: "Empty cells", axis: null, of: ([, , , nEmpty]) => nEmpty, text: count, read: ({ board }) => board.filter((cell) => cell === 0).length },
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
 * Round numbers within a range, three to six of them.
 * @param {number} from
 * @param {number} to
 */
export const roundTicks = (from, to) => {
  if (!(to > from)) return [from];
  const power = 10 ** Math.floor(Math.log10((to - from) / 3));
  const step = [5, 2, 1].map((factor) => factor * power).find((width) => (to - from) / width >= 3) ?? power;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 }, (_, place) => (first + place) * step);
};

/** @param {number} value */
const shortCount = (value) => (value >= 10_000 ? `${decimals(value / 1000, 0)} k` : count(value));

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 */
const drawn = (tag, attributes) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

/**
 * A label at a place of an axis, from 0 to 1.
 * @param {"left" | "bottom"} side
 * @param {number} place
 * @param {string} text
 */
const tick = (side, place, text) => {
  const label = element("span", { class: "tick" }, text);
  label.style[side] = `${100 * place}%`;
  return label;
};

export class CourseChart {
  /** @type {GameCourse[]} */
  #courses = [];
  /** @type {CourseLine[]} */
  #opinions = [];
  /** @type {CourseMark[]} */
  #marks = [];
  #move = 0;
  /** @type {Position[]} */
  #positions = [];
  /** @type {Axis} */
  #axis = "moves";
  /** the name of the line that is drawn; the first one if there is no such line */
  #chosen = "";
  /** @type {{ cursor: SVGElement, game: number }[]} */
  #cursors = [];
  /** @type {{ output: HTMLElement, read: () => string }[]} */
  #readings = [];

  /** @param {((move: number) => void) | null} onChoose called with the move that was clicked */
  constructor(onChoose) {
    this.onChoose = onChoose;
    /** @type {(axis: Axis, label: string) => HTMLButtonElement} */
    const choice = (axis, label) => element("button", { type: "button", "data-axis": axis, "aria-pressed": String(axis === "moves"), click: () => this.#setAxis(axis) }, label);
    this.choices = [choice("moves", "over the moves"), choice("score", "over the score")];
    this.axisChoice = element("div", { class: "axis-choice", role: "group", "aria-label": "Axis", hidden: true }, this.choices);
    this.lines = element("div", { class: "course-lines", role: "group", "aria-label": "What is drawn" });
    this.graph = element("div", { class: "graph" });
    this.legend = element("p", { class: "meta legend", hidden: true });
    this.element = element("section", { class: "course", "aria-label": "Course of the game", hidden: true }, this.axisChoice, this.legend, this.lines, this.graph);
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

  /** @returns {CourseLine[]} */
  get #allLines() {
    const own = LINES.filter(({ axis }) => axis === null || axis === this.#axis).map(({ name, of, text, read }) => ({
      name,
      text,
      read,
      curves: this.#courses.map((course, game) => ({
        game,
        name: course.name,
        points: course.points.map((point) => /** @type {[number, number]} */ ([point[0], of(point)])),
      })),
    }));
    return [...own, ...this.#opinions];
  }

  #draw() {
    this.element.hidden = this.#courses.length === 0;
    if (this.element.hidden) return;
    const lines = this.#allLines;
    const shown = lines.find(({ name }) => name === this.#chosen) ?? lines[0];
    this.#readings = [];
    const focused = this.lines.contains(document.activeElement) ? document.activeElement?.getAttribute("data-line") : null;
    this.lines.replaceChildren(...lines.map((line) => this.#makeChoice(line, line === shown)));
    for (const choice of this.lines.querySelectorAll("button")) if (choice.dataset.line === focused) choice.focus();
    if (shown !== undefined) this.#drawGraph(shown);
    this.mark(this.#move, this.#positions);
  }

  /**
   * A button that shows the reading of a line and draws it.
   * @param {CourseLine} line
   * @param {boolean} isShown
   */
  #makeChoice({ name, curves, text, read }, isShown) {
    const outputs = curves.map((curve, index) => {
      const output = element("b", { class: `of-${colourOf(curves, index)}`, title: curve.name });
      this.#readings.push({ output, read: () => {
        const position = this.#positions[curve.game];
        // A chart that cannot be used to choose a move shows how the game ended.
        const [, last] = this.onChoose === null ? curve.points.at(-1) ?? [] : pointAt(curve.points, this.#move) ?? [];
        const value = read && position && this.onChoose !== null ? read(position, curve) : last;
        return value === undefined || value === null ? "" : text(value);
      } });
      return output;
    });
    const choose = () => {
      this.#chosen = name;
      this.#draw();
    };
    return element("button", { type: "button", class: "course-line", "data-line": name, "aria-pressed": String(isShown), click: choose },
      element("span", { class: "meta" }, element("span", {}, name), outputs));
  }

  /** @param {CourseLine} line */
  #drawGraph({ name, curves, text, startsAtZero = true }) {
    const values = curves.flatMap(({ points }) => points.flatMap(([, value, low = value, high = value]) => [value, low, high]));
    const highest = values.reduce((most, value) => Math.max(most, value), startsAtZero ? 1 : -Infinity);
    const lowest = startsAtZero ? 0 : values.reduce((least, value) => Math.min(least, value), Infinity);
    const scale = highest > lowest ? highest - lowest : 1;
    const drawing = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    drawing.setAttribute("aria-label", `${name} over the ${this.#axis}, up to ${values.length === 0 ? 0 : text(highest)}`);
    const isWhole = curves.every(({ points }) => points.every(([, value]) => Number.isInteger(value)));
    const heights = roundTicks(lowest, highest).filter((value) => !isWhole || Number.isInteger(value));
    for (const value of heights) {
      const y = String(HEIGHT - 2 - (value - lowest) / scale * (HEIGHT - 4));
      drawing.append(drawn("line", { class: "rule", x1: "0", x2: String(WIDTH), y1: y, y2: y }));
    }
    curves.forEach(({ game, points }, index) => {
      const at = (/** @type {number} */ move, /** @type {number} */ value) =>
        /** @type {[number, number]} */ ([this.#place(game, move), (value - lowest) / scale]);
      const colour = `of-${colourOf(curves, index)}`;
      if (points.some((point) => point.length > 2)) {
        const top = points.map(([move, value, , high = value]) => at(move, high));
        const bottom = points.map(([move, value, low = value]) => at(move, low));
        drawing.append(drawn("path", { class: `band ${colour}`, d: `${linePath([...top, ...bottom.reverse()])}Z` }));
      }
      drawing.append(drawn("path", { class: `line ${colour}`, d: linePath(points.map(([move, value]) => at(move, value))) }));
    });
    for (const { move } of this.#marks) {
      const x = String(this.#place(0, move) * WIDTH);
      drawing.append(drawn("line", { class: "turning-point", y1: "0", y2: String(HEIGHT), x1: x, x2: x }));
    }
    this.#cursors = [];
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
    const last = this.#last;
    this.graph.replaceChildren(
      element("p", { class: "graph-name" }, name),
      element("div", { class: "milestones" }, this.#milestones()),
      element("div", { class: "heights" }, heights.map((value) => tick("bottom", (value - lowest) / scale, text(value)))),
      element("div", { class: "plot" }, drawing, this.#marks.map(({ move, text: title }, index) => this.#markButton(move, title, index + 1))),
      element("div", { class: "across" }, roundTicks(0, last).map((value) => tick("left", value / last, shortCount(value)))),
      element("p", { class: "graph-end" }, this.#axis === "moves" ? counted(last, "move") : counted(last, "point")),
    );
  }

  /** Where the first game makes large tiles. */
  #milestones() {
    const points = this.#courses[0]?.points ?? [];
    let [before, room] = [0, -1];
    return points.flatMap(([move, , highest]) => {
      const place = this.#place(0, move);
      const isNew = highest > before && highest >= SMALLEST_MILESTONE;
      before = Math.max(before, highest);
      if (!isNew || place < room) return [];
      room = place + CLOSEST_MILESTONES;
      return [tick("left", place, count(2 ** highest))];
    });
  }

  /**
   * @param {number} move
   * @param {string} title
   * @param {number} number in the list of turning points
   */
  #markButton(move, title, number) {
    const button = element("button", { type: "button", class: "mark", title, "aria-label": `Turning point ${number}: ${title}`, click: () => this.onChoose?.(move) }, String(number));
    button.style.left = `${100 * this.#place(0, move)}%`;
    return button;
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
   * @param {Position[]} positions of the games at this move
   */
  mark(move, positions) {
    this.#move = move;
    this.#positions = positions;
    for (const { cursor, game } of this.#cursors) {
      const x = String(this.#place(game, move) * WIDTH);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
    for (const { output, read } of this.#readings) output.textContent = read();
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
