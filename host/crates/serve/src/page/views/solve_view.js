// Solve: deterministic 2048, played by hand and solved by backtracking. Every new tile is a 2 in
// the first empty cell; the server says which that is.
import { announce } from "../dom/announcements.js";
import { element, enable, visuallyHidden } from "../dom/element.js";
import { addShortcuts } from "../dom/keyboard.js";
import { recall, remember } from "../dom/storage.js";
import { onSwipe } from "../dom/swipe.js";
import { cellsOf } from "../explain/position.js";
import { miniBoard } from "../explain/mini_board.js";
import { Field, showDiagnostics } from "../forms/field.js";
import { GamePanel } from "../games/game_panel.js";
import { ask, diagnosticsOf } from "../net/api.js";
import { readEvents } from "../net/questions.js";
import { count, counted, microseconds } from "../shared/number.js";
import { Playback } from "../shared/playback.js";
import { arrow, inWords } from "../text/directions.js";
import { cellName } from "../text/search_words.js";
/** @import { Direction, PersonGame, Solution, SolveAnswer, SolveEvent } from "../net/server_json.js" */
/** @import { View } from "./view.js" */

const INTRODUCTION = "2048 without luck: every new tile is a 2 in the first empty cell, in the order of the small numbers. "
  + "Play by hand, or find every way to the goal.";
const SLIDE_MS = 110;
const MOVES_PER_SECOND = 3;
const FIRST_SHOWN = 60;
// The order in which the paper tries the moves.
/** @type {Direction[]} */
const BUTTONS = ["U", "L", "D", "R"];
/** @type {Record<string, Direction>} */
const KEYS = { arrowup: "U", w: "U", arrowright: "R", d: "R", arrowdown: "D", s: "D", arrowleft: "L", a: "L" };

/** @typedef {{ size: number, goal: number }} Problem */

/**
 * @param {HTMLElement} area
 * @param {string[]} parameters size and goal
 * @returns {View}
 */
export const open = (area, parameters) => {
  const view = new SolveView(area);
  view.update(parameters);
  return { update: (next) => view.update(next), close: () => view.close() };
};

class SolveView {
  /** @type {PersonGame | null} */
  #answer = null;
  /** @type {Problem} */
  #problem = { size: 2, goal: 4 };
  #moves = "";
  /** @type {Promise<void>} the requests of moves, one after the other */
  #queue = Promise.resolve();
  /** @type {AbortController | null} */
  #search = null;
  /** the solution that is played */
  #wanted = "";

  /** @param {HTMLElement} area */
  constructor(area) {
    this.panel = new GamePanel("By hand", "", 2, ["Score", "Move", "Highest"]);
    const board = this.panel.board.element;
    board.setAttribute("role", "application");
    board.setAttribute("tabindex", "0");
    board.setAttribute("aria-roledescription", "2048 board");
    board.classList.add("own");
    onSwipe(board, (direction) => this.#play(direction));
    this.order = element("div", { class: "order", "aria-hidden": "true" });
    this.panel.stage.append(this.order);
    this.buttons = BUTTONS.map((direction) => {
      const next = element("small");
      const name = [element("span", { "aria-hidden": "true" }, arrow(direction)), visuallyHidden(inWords(direction))];
      const button = element("button", {
        type: "button", "data-direction": direction, click: () => this.#play(direction),
        pointerenter: () => this.#markNext(direction), pointerleave: () => this.#markNext(null),
        focus: () => this.#markNext(direction), blur: () => this.#markNext(null),
      }, name, " ", next);
      return { direction, button, next };
    });
    this.undo = element("button", { type: "button", click: () => this.#go(this.#moves.slice(0, -1)) }, "Undo");
    this.again = element("button", { type: "button", click: () => this.#go("") }, "Start again");
    this.made = element("p", { class: "made" });
    const number = (/** @type {number} */ value) => element("input", { type: "number", inputmode: "numeric", min: 4, step: 1, value });
    this.size = new Field({ path: "size", label: "Board", input: element("select", {}, [2, 3, 4].map((side) => element("option", { value: side }, `${side} × ${side}`))) });
    this.goal = new Field({ path: "goal", label: "Goal", input: number(4) });
    const list = element("input", { type: "checkbox" });
    list.checked = true;
    this.list = new Field({ path: "list", label: "List every solution", input: list, help: "In the order of the search. Without it, solutions are counted, which is much faster on large boards." });
    this.error = element("p", { class: "error", role: "alert", hidden: true });
    this.solveButton = element("button", { class: "primary", id: "solve" }, "Solve");
    const form = element("form", { class: "settings", novalidate: true, submit: (event) => {
      event.preventDefault();
      if (this.#search === null) void this.#solve();
      else this.#stop();
    } }, this.error, element("div", { class: "game-form" }, this.size.element, this.goal.element), this.list.element, this.solveButton);
    for (const { input } of [this.size, this.goal]) input.addEventListener("change", () => this.#choose({ size: Number(this.size.input.value), goal: Number(this.goal.input.value) }));
    this.figures = element("dl", { class: "solve-figures" });
    this.state = element("p", { class: "meta", id: "solve-state" });
    this.solutions = element("ol", { class: "solutions" });
    this.more = element("button", { type: "button", hidden: true }, "Show more");
    this.result = element("section", { class: "solve-result", hidden: true }, element("h2", {}, "Solutions"), this.figures, this.state, this.solutions, this.more);
    this.playback = new Playback({
      speed: () => MOVES_PER_SECOND,
      advance: async () => {
        await this.#request(this.#wanted.slice(0, this.#moves.length + 1));
        return this.#moves.length < this.#wanted.length;
      },
      end: () => {},
    });
    area.append(
      element("p", { class: "introduction" }, INTRODUCTION),
      element("div", { class: "layout you solve" },
        element("div", { id: "boards", class: "boards" },
          element("div", { class: "games", "data-games": 1 }, this.panel.element),
          this.made),
        element("div", { class: "panel" },
          element("div", { class: "controls" },
            element("div", { class: "arrow-buttons", role: "group", "aria-label": "Move" }, this.buttons.map(({ button }) => button)),
            element("div", { class: "buttons hand-buttons" }, this.undo, this.again)),
          form, this.result)),
    );
    const shortcuts = Object.entries(KEYS).map(([key, direction]) => [key, () => this.#play(direction)]);
    this.removeShortcuts = addShortcuts({ ...Object.fromEntries(shortcuts), r: () => this.#go(""), u: () => this.#go(this.#moves.slice(0, -1)) });
  }

  /** @param {string[]} parameters */
  update([size, goal]) {
    /** @type {Problem} */
    const kept = recall("solve", this.#problem);
    this.#choose({ size: Number(size ?? kept.size), goal: Number(goal ?? kept.goal) });
  }

  /** @param {Problem} problem */
  #choose(problem) {
    this.#stop();
    this.#problem = problem;
    this.size.input.value = String(problem.size);
    this.goal.input.value = String(problem.goal);
    this.result.hidden = true;
    this.panel.explain.settings = { tiles: "deterministic", goal: String(problem.goal), agents: "backtracking" };
    remember("solve", problem);
    history.replaceState(null, "", `#solve/${problem.size}/${problem.goal}`);
    this.#go("");
  }

  /** @param {Direction} direction */
  #play(direction) {
    this.playback.pause();
    void this.#request(this.#moves + direction, direction);
  }

  /** @param {string} moves */
  #go(moves) {
    this.playback.pause();
    void this.#request(moves);
  }

  /**
   * Shows the game after these moves; with a direction, only if it is legal then.
   * @param {string} moves
   * @param {Direction} [direction]
   */
  #request(moves, direction) {
    const problem = this.#problem;
    this.#queue = this.#queue.then(async () => {
      if (problem !== this.#problem) return;
      const wanted = direction === undefined ? moves : this.#moves + direction;
      if (direction !== undefined && !(this.#answer?.ending === null && this.#answer.legal.includes(direction))) return;
      try {
        /** @type {PersonGame} */
        const answer = await ask("/api/person", { seed: 0, four_share: 0.1, tiles: "deterministic", ...problem, moves: wanted });
        this.#accept(answer, wanted);
      } catch (error) {
        this.playback.pause();
        this.#showDiagnostics(error);
      }
    });
    return this.#queue;
  }

  /**
   * @param {PersonGame} answer
   * @param {string} moves
   */
  #accept(answer, moves) {
    const isNext = moves.length === this.#moves.length + 1 && this.#answer !== null;
    this.#answer = answer;
    this.#moves = moves;
    showDiagnostics([this.size, this.goal], [], this.error);
    this.panel.set({ ...answer, from: 0, moves, evaluation: null, step: isNext ? answer.step : null }, SLIDE_MS);
    const { order, next, legal, ending } = answer;
    for (const { direction, button, next: place } of this.buttons) {
      const cell = next?.[direction];
      place.textContent = cell === undefined ? "" : `2 at ${cellName(cell, this.#problem.size)}`;
      enable(button, ending === null && legal.includes(direction));
    }
    this.order.style.setProperty("--side", String(this.#problem.size));
    this.order.replaceChildren(...(order ?? []).map((cell, number) => {
      const mark = element("span", { "data-cell": cell }, answer.board[cell] === 0 ? String(number + 1) : "");
      this.panel.board.place(mark, cell);
      return mark;
    }));
    enable(this.undo, moves !== "");
    enable(this.again, moves !== "");
    this.made.textContent = [...moves].map((letter) => arrow(/** @type {Direction} */ (letter))).join(" ");
    if (ending !== null) announce(`${ending.sentence}.`);
  }

  /**
   * Marks the cell that gets the next tile.
   * @param {Direction | null} direction
   */
  #markNext(direction) {
    const cell = direction === null ? undefined : this.#answer?.next?.[direction];
    for (const mark of this.order.children) mark.classList.toggle("next", cell !== undefined && mark.getAttribute("data-cell") === String(cell));
  }

  /** @param {unknown} error */
  #showDiagnostics(error) {
    showDiagnostics([this.size, this.goal], diagnosticsOf(error), this.error);
  }

  #stop() {
    this.#search?.abort();
    this.#search = null;
    this.solveButton.textContent = "Solve";
  }

  async #solve() {
    const control = new AbortController();
    this.#search = control;
    this.solveButton.textContent = "Stop";
    this.result.hidden = false;
    this.figures.replaceChildren();
    this.solutions.replaceChildren();
    this.more.hidden = true;
    this.state.textContent = "Searching…";
    /** @type {Solution[]} */
    const hidden = [];
    let nFound = 0;
    /** @param {SolveEvent} event */
    const onEvent = (event) => {
      if (event.kind === "progress") {
        this.state.textContent = `${event.stage}: ${count(event.visited)} visited`;
      } else if (event.kind === "solution") {
        nFound += 1;
        if (nFound > FIRST_SHOWN) hidden.push(event);
        else this.solutions.append(this.#solutionItem(event, nFound));
      } else if (event.kind === "answer") {
        this.#showAnswer(event, nFound);
      } else {
        this.state.textContent = event.sentence;
      }
    };
    try {
      const query = new URLSearchParams({ size: String(this.#problem.size), goal: String(this.#problem.goal), list: String(this.list.input.checked) });
      await readEvents(`/api/solve?${query}`, { signal: control.signal }, onEvent);
    } catch (error) {
      if (control.signal.aborted) {
        if (this.state.textContent === "Searching…" || nFound > 0) this.state.textContent = "Stopped.";
        return;
      }
      this.state.textContent = "";
      this.#showDiagnostics(error);
    }
    this.more.hidden = hidden.length === 0;
    this.more.textContent = `Show ${counted(hidden.length, "more solution")}`;
    this.more.onclick = () => {
      this.more.hidden = true;
      this.solutions.append(...hidden.map((solution, index) => this.#solutionItem(solution, FIRST_SHOWN + 1 + index)));
    };
    this.#search = null;
    this.solveButton.textContent = "Solve";
  }

  /**
   * @param {SolveAnswer} answer
   * @param {number} nSent
   */
  #showAnswer({ solutions, min_moves: min, max_moves: max, states, tree, micros, complete, incomplete_because: reason, shortest }, nSent) {
    const atLeast = complete ? "" : "at least ";
    /** @type {[string, string | null][]} */
    const figures = [
      ["Solutions", solutions === null ? "not counted" : atLeast + grouped(solutions)],
      ["Fewest moves", min === null ? null : count(min)],
      ["Most moves", max === null ? null : atLeast + count(max)],
      ["Nodes generated", tree ? grouped(tree.generated) : null],
      ["Expanded", tree ? grouped(tree.expanded) : null],
      ["Killed", tree ? grouped(tree.killed) : null],
      ["Different boards", count(states)],
      ["Time", micros ? microseconds(micros) : null],
    ];
    this.figures.replaceChildren(...figures.flatMap(([name, text]) => (text === null ? [] : [element("div", { "data-figure": name }, element("dt", {}, name), element("dd", {}, text))])));
    this.state.textContent = complete ? "The search is complete." : `Incomplete: ${reason ?? "the search was stopped"}.`;
    if (nSent === 0 && shortest !== null) this.solutions.append(this.#solutionItem(shortest, 1));
    announce(`${solutions ?? "No"} solutions.`);
  }

  /**
   * @param {Solution} solution
   * @param {number} number
   */
  #solutionItem({ moves, board }, number) {
    const play = () => {
      this.#wanted = moves;
      void this.#request("").then(() => this.playback.play());
    };
    const directions = [...moves].map((letter) => /** @type {Direction} */ (letter));
    const words = directions.map(inWords).join(", ");
    return element("li", {},
      element("button", { type: "button", title: words, click: play },
        element("span", { class: "solution-number" }, `${count(number)} · ${counted(moves.length, "move")}`, visuallyHidden(`: ${words}`)),
        element("span", { class: "solution-moves", "aria-hidden": "true" }, directions.map(arrow).join(" ")), miniBoard(cellsOf(board))));
  }

  close() {
    this.#stop();
    this.playback.pause();
    this.removeShortcuts();
  }
}

/**
 * A whole number of any length with thousands separators.
 * @param {string} digits
 */
const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");
