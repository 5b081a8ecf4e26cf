// Plays one recorded game, or two on the same tiles: slider, buttons, speed and shortcuts.
import { announce } from "../dom/announcements.js";
import { element } from "../dom/element.js";
import { addShortcuts } from "../dom/keyboard.js";
import { SpeedControl } from "../forms/speed_control.js";
import { Playback } from "../shared/playback.js";
import { AskPanel } from "./ask_panel.js";
import { CourseChart } from "./course_chart.js";
import { opinionLines, opinionMarks } from "./opinions.js";
import { partingOf } from "./parting.js";
import { ReplayPanel } from "./replay_panel.js";
/** @import { RecordedGame } from "../net/recorded_game.js" */
/** @import { GameThoughts } from "../net/server_json.js" */
/** @import { WalkedGame } from "./ask_panel.js" */
/** @import { Landmark } from "./parting.js" */

const SPEEDS = [1, 2, 4, 8, 30, 120, 1000];
const SINGLE_STEP_MS = 110;

export class ReplayPlayer {
  /** @type {ReplayPanel[]} */
  panels = [];
  #number = 0;
  #last = 0;
  /** @type {WalkedGame[]} */
  #walked = [];
  /** @type {(GameThoughts | null)[]} */
  #thoughts = [];

  /**
   * @param {object} callbacks
   * @param {(error: unknown) => void} callbacks.onError called when steps cannot be loaded
   * @param {(number: number) => void} callbacks.onMove called when another move is shown
   * @param {(number: number) => string} callbacks.addressOf the address of a move
   */
  constructor({ onError, onMove, addressOf }) {
    this.onError = onError;
    this.onMove = onMove;
    this.speed = new SpeedControl("replay.speed", SPEEDS, () => this.playback.restart());
    this.playback = new Playback({
      speed: () => this.speed.value,
      advance: (nMoves, milliseconds) => this.#advance(nMoves, milliseconds),
      end: () => {
        this.#pause();
        this.ask.setPosition(this.#number);
        announce("End of the replay.");
      },
    });
    /** @type {(id: string, label: string, text: string, act: () => void) => HTMLButtonElement} */
    const button = (id, label, text, act) => element(
      "button",
      // A visible word is the name of its button; an arrow needs one.
      { id, type: "button", "aria-label": /\w/.test(text) ? null : label, title: label, click: act },
      text,
    );
    this.playButton = element("button", { id: "play", type: "button", class: "primary", click: () => this.#toggle() }, "Play");
    this.slider = element("input", {
      id: "move", type: "range", min: 0, max: 0, value: 0, step: 1, "aria-label": "Move",
      input: () => this.go(Number(this.slider.value)),
    });
    this.parting = element("p", { id: "parting", class: "comparison", hidden: true });
    this.landmarks = element("p", { class: "landmarks", hidden: true });
    this.course = new CourseChart((move) => this.lookAt(move));
    this.ask = new AskPanel({
      addressOf,
      onWalked: (walked) => {
        this.#walked = walked;
        this.#showOpinions();
      },
      onAnswers: (game, directions) => this.panels[game]?.setArrows(directions),
    });
    this.gamesArea = element("div", { class: "games" });
    this.element = element("div", { id: "boards", class: "boards" }, this.gamesArea);
    this.review = element("div", { class: "review" }, this.course.element, this.parting, this.landmarks);
    this.controls = element(
      "div",
      { class: "controls", role: "group", "aria-label": "Replay controls" },
      this.slider,
      element(
        "div",
        { class: "buttons" },
        button("first", "First move", "Start", () => this.go(0)),
        button("back", "Back one move", "◀", () => this.go(this.#number - 1)),
        this.playButton,
        button("forward", "Forward one move", "▶", () => this.go(this.#number + 1)),
        button("last", "Last move", "End", () => this.go(this.#last)),
      ),
      this.speed.element,
    );
    this.removeShortcuts = addShortcuts({
      " ": () => this.#toggle(),
      ArrowLeft: () => this.go(this.#number - 1),
      ArrowRight: () => this.go(this.#number + 1),
      Home: () => this.go(0),
      End: () => this.go(this.#last),
    });
  }

  /**
   * Shows games. If only a second game is added, the position stays.
   * @param {RecordedGame[]} games one or two
   * @param {number | null} number of the move to show; null for the start or the same as before
   */
  load(games, number) {
    this.#pause();
    const isSame = this.panels[0]?.game === games[0];
    this.panels = games.map((game) => new ReplayPanel(game));
    this.#last = Math.max(0, ...games.map((game) => game.nMoves));
    this.slider.max = String(this.#last);
    this.gamesArea.replaceChildren(...this.panels.map((panel) => panel.element));
    this.gamesArea.dataset.games = String(games.length);
    this.ask.setGames(games.map(({ run, details, nMoves }) => ({
      name: details.agent, source: { run, game: details.game }, nMoves, size: details.size,
    })));
    this.#showCourses(games, this.panels).catch((error) => this.#fail(error));
    return this.#show(number ?? (isSame ? this.#number : 0), 0);
  }

  /**
   * @param {RecordedGame[]} games
   * @param {ReplayPanel[]} panels that are shown while the courses are loaded
   */
  async #showCourses(games, panels) {
    const known = await Promise.all(games.map(async (game) => ({ name: game.details.agent, course: await game.course() })));
    if (this.panels !== panels) return;
    const courses = known.map(({ name, course: [{ points }] }) => ({ name, points }));
    this.#thoughts = known.map(({ course: [, thoughts] }) => thoughts);
    this.course.show(courses);
    // Nothing jumps while the game plays.
    panels.forEach((panel, index) => panel.text.reserve(this.#thoughts[index]?.longest_text ?? null));
    this.#showOpinions();
    const [one, other] = courses;
    const { text, landmarks } = one && other ? partingOf(one, other) : { text: "", landmarks: [] };
    this.parting.textContent = text;
    this.parting.hidden = text === "";
    this.landmarks.replaceChildren(...landmarks.map((landmark) => this.#landmarkButton(landmark)));
    this.landmarks.hidden = landmarks.length === 0;
  }

  /** What the players thought, and what the agents that were asked say. */
  #showOpinions() {
    const names = this.panels.map((panel) => panel.game.details.agent);
    this.course.setOpinions(opinionLines(names, this.#thoughts, this.#walked), opinionMarks(this.#walked));
  }

  /** @param {Landmark} landmark */
  #landmarkButton({ move, text }) {
    return element("button", { type: "button", "data-move": move, click: () => this.lookAt(move) }, text);
  }

  /** The number of the move that is shown. */
  get number() {
    return this.#number;
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
    this.course.mark(wanted, positions.map(({ position }) => position));
    // While the game plays, an answer would come too late.
    if (!this.playback.isPlaying) this.ask.setPosition(wanted);
    this.onMove(wanted);
  }

  /** @param {number} number */
  go(number) {
    this.#pause();
    const isNextMove = number === this.#number + 1;
    this.#show(number, isNextMove ? SINGLE_STEP_MS : 0).catch((error) => this.#fail(error));
  }

  /**
   * Goes to a move, and to the boards if they are out of sight.
   * @param {number} number
   */
  lookAt(number) {
    this.go(number);
    this.gamesArea.querySelector(".stage")?.scrollIntoView({ block: "nearest" });
  }

  #toggle() {
    if (this.playback.isPlaying) {
      this.#pause();
      this.ask.setPosition(this.#number);
      announce(`Paused at move ${this.#number}.`);
      return;
    }
    if (this.panels.length === 0) return;
    if (this.#number >= this.#last) this.#number = 0;
    this.playButton.textContent = "Pause";
    this.playback.play();
  }

  /**
   * @param {number} nMoves
   * @param {number} milliseconds how long a slide may take
   */
  async #advance(nMoves, milliseconds) {
    for (const { game } of this.panels) game.prefetch(this.#number + nMoves);
    try {
      await this.#show(this.#number + nMoves, milliseconds);
    } catch (error) {
      this.#fail(error);
    }
    return this.#number < this.#last;
  }

  #pause() {
    this.playback.pause();
    this.playButton.textContent = "Play";
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#pause();
    this.onError(error);
  }

  close() {
    this.#pause();
    this.ask.close();
    this.removeShortcuts();
  }
}
