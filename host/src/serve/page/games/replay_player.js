// Plays one recorded game, or two on the same tiles: slider, buttons, speed and shortcuts.
import { announce } from "../dom/announcements.js";
import { element } from "../dom/element.js";
import { addShortcuts } from "../dom/keyboard.js";
import { SpeedControl } from "../forms/speed_control.js";
import { directionOfMove, inWords } from "../text/directions.js";
import { count } from "../../../report/html/number.js";
import { slideTime } from "../../../report/html/board.js";
import { firstDifference } from "./first_difference.js";
import { ReplayPanel } from "./replay_panel.js";
/** @import { RecordedGame } from "../net/recorded_game.js" */
/** @import { WholeGame } from "../net/server_json.js" */

const SPEEDS = [1, 2, 4, 8, 30, 120, 1000];
const SINGLE_STEP_MS = 110;

/**
 * Where two games differ, in words.
 * @param {Pick<WholeGame, "agent" | "moves">} one
 * @param {Pick<WholeGame, "agent" | "moves">} other
 */
export const differenceInWords = (one, other) => {
  const difference = firstDifference([one.moves, other.moves]);
  if (difference === null) return `${one.agent} and ${other.agent} make the same moves until the shorter game ends.`;
  const [first, second] = [one, other].map(({ moves }) => {
    const direction = directionOfMove(moves, difference);
    return direction === undefined ? "elsewhere" : inWords(direction);
  });
  const nSame = difference - 1;
  const same = nSame === 1 ? "The first move is the same. " : `The first ${count(nSame)} moves are the same. `;
  return `${nSame === 0 ? "" : same}On move ${count(difference)} ${one.agent} goes ${first} and ${other.agent} goes ${second}.`;
};

export class ReplayPlayer {
  /** @type {ReplayPanel[]} */
  panels = [];
  #number = 0;
  #last = 0;
  #timer = 0;
  /** when the next move is due, in the time of `performance.now()` */
  #due = 0;
  /** @type {number | null} */
  #difference = null;

  /** @param {(error: unknown) => void} onError called when steps cannot be loaded */
  constructor(onError) {
    this.onError = onError;
    this.speed = new SpeedControl("replay.speed", SPEEDS, () => { this.#due = performance.now(); });
    /** @type {(id: string, label: string, text: string, act: () => void) => HTMLButtonElement} */
    const button = (id, label, text, act) => element("button", { id, type: "button", "aria-label": label, title: label, click: act }, text);
    this.playButton = element("button", { id: "play", type: "button", class: "primary", click: () => this.#toggle() }, "Play");
    this.slider = element("input", {
      id: "move", type: "range", min: 0, max: 0, value: 0, step: 1, "aria-label": "Move",
      input: () => this.#go(Number(this.slider.value)),
    });
    this.differenceButton = element("button", {
      id: "go-to-difference", type: "button", click: () => { if (this.#difference !== null) this.#go(this.#difference); },
    }, "Go to the first different move");
    this.differenceNote = element("p", { id: "difference", class: "comparison" });
    this.gamesArea = element("div", { class: "games" });
    this.element = element("div", { id: "boards", class: "boards" }, this.differenceNote, this.gamesArea);
    this.controls = element(
      "div",
      { class: "controls", role: "group", "aria-label": "Replay controls" },
      this.slider,
      element(
        "div",
        { class: "buttons" },
        button("first", "First move", "Start", () => this.#go(0)),
        button("back", "Back one move", "◀", () => this.#go(this.#number - 1)),
        this.playButton,
        button("forward", "Forward one move", "▶", () => this.#go(this.#number + 1)),
        button("last", "Last move", "End", () => this.#go(this.#last)),
      ),
      this.speed.element,
    );
    this.removeShortcuts = addShortcuts({
      " ": () => this.#toggle(),
      ArrowLeft: () => this.#go(this.#number - 1),
      ArrowRight: () => this.#go(this.#number + 1),
      Home: () => this.#go(0),
      End: () => this.#go(this.#last),
    });
  }

  /**
   * Shows games from their start. If only a second game is added, the position stays.
   * @param {RecordedGame[]} games one or two
   */
  load(games) {
    this.#pause();
    const isSame = this.panels[0]?.game === games[0];
    this.panels = games.map((game) => new ReplayPanel(game));
    this.#last = Math.max(0, ...games.map((game) => game.nMoves));
    const [one, other] = games.map((game) => game.details);
    this.#difference = one && other ? firstDifference([one.moves, other.moves]) : null;
    this.slider.max = String(this.#last);
    this.gamesArea.replaceChildren(...this.panels.map((panel) => panel.element));
    this.gamesArea.dataset.games = String(games.length);
    this.differenceButton.hidden = this.#difference === null;
    this.differenceNote.hidden = !other;
    this.differenceNote.textContent = one && other ? differenceInWords(one, other) : "";
    return this.#show(isSame ? this.#number : 0, 0);
  }

  /**
   * @param {number} number of moves made
   * @param {number} milliseconds how long a slide may take
   */
  async #show(number, milliseconds) {
    const wanted = Math.max(0, Math.min(this.#last, number));
    this.#number = wanted;
    this.slider.value = String(wanted);
    this.slider.setAttribute("aria-valuetext", `move ${wanted} of ${this.#last}`);
    const { panels } = this;
    const positions = await Promise.all(panels.map(async (panel) => ({ panel, position: await panel.game.at(wanted) })));
    // Meanwhile another move or another game may have been chosen.
    if (this.#number !== wanted || this.panels !== panels) return;
    for (const { panel, position } of positions) panel.show(position, milliseconds);
    this.element.dataset.move = String(wanted);
  }

  /** @param {number} number */
  #go(number) {
    this.#pause();
    const isNextMove = number === this.#number + 1;
    this.#show(number, isNextMove ? SINGLE_STEP_MS : 0).catch((error) => this.#fail(error));
  }

  #toggle() {
    if (this.#timer !== 0) {
      this.#pause();
      announce(`Paused at move ${this.#number}.`);
      return;
    }
    if (this.panels.length === 0) return;
    if (this.#number >= this.#last) this.#number = 0;
    this.playButton.textContent = "Pause";
    this.#due = performance.now();
    this.#timer = requestAnimationFrame((now) => void this.#tick(now));
  }

  /** @param {number} now */
  async #tick(now) {
    const speed = this.speed.value;
    const nDue = Math.floor((now - this.#due) * speed / 1000);
    if (nDue > 0) {
      this.#due += nDue * 1000 / speed;
      for (const { game } of this.panels) game.prefetch(this.#number + nDue);
      try {
        await this.#show(this.#number + nDue, nDue === 1 ? slideTime(speed) : 0);
      } catch (error) {
        this.#fail(error);
      }
      // Time spent waiting for the server is not made up for by a jump.
      this.#due = Math.max(this.#due, performance.now() - 1000 / speed - 50);
    }
    if (this.#timer === 0) return;
    if (this.#number < this.#last) {
      this.#timer = requestAnimationFrame((later) => void this.#tick(later));
    } else {
      this.#pause();
      announce("End of the replay.");
    }
  }

  #pause() {
    cancelAnimationFrame(this.#timer);
    this.#timer = 0;
    this.playButton.textContent = "Play";
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#pause();
    this.onError(error);
  }

  close() {
    this.#pause();
    this.removeShortcuts();
  }
}
