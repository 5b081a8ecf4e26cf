// A live session: games that the server plays while the page shows them, and the controls.
// The server keeps the games; after a reload or a lost connection the page opens the same
// stream again.
import { announce } from "../dom/announcements.js";
import { element, enable } from "../dom/element.js";
import { addShortcuts } from "../dom/keyboard.js";
import { settingsOf } from "../explain/position.js";
import { SaveControl } from "../forms/save_control.js";
import { SpeedControl } from "../forms/speed_control.js";
import { isNotFound, messageOf, path, post } from "../net/api.js";
import { openStream } from "../net/event_stream.js";
import { headline } from "../text/ending.js";
import { count, counted } from "../shared/number.js";
import { parametersInWords } from "../text/parameters.js";
import { slideTime } from "../shared/board.js";
import { AskPanel } from "./ask_panel.js";
import { Comparison } from "./comparison.js";
import { LiveCourse } from "./live_course.js";
import { GamePanel } from "./game_panel.js";
/** @import { GameUpdate, PaceRequest, PaceState, SavedSession, Session } from "../net/server_json.js" */

// An agent that takes longer than the pace asks for is said to be thinking.
const SHORTEST_THOUGHT_MS = 300;
const THOUGHT_INTERVAL_MS = 100;
const SPEEDS = [1, 2, 4, 8, 16, 32, 64, null];
// Endings without a record: the game was ended from outside.
const UNFINISHED = ["stopped", "killed"];

/** @typedef {"idle" | "starting" | "playing" | "paused" | "over" | "gone"} SessionState */
/** @typedef {{ running: boolean, speed: number | null }} InitialPace */

/** @type {Record<SessionState, string>} */
const RUN_LABELS = { idle: "Run", starting: "Starting…", playing: "Pause", paused: "Resume", over: "Run", gone: "Run" };

export class LiveSession {
  /** @type {SessionState} */
  state = "idle";
  /** @type {string | null} */
  id = null;
  /** @type {GamePanel[]} */
  #games = [];
  /** @type {string | null} the session whose boards are shown */
  #shownId = null;
  /** @type {PaceState | null} */
  #pace = null;
  /** @type {Session | null} */
  #session = null;
  #closeStream = () => {};
  /** the frame that was received last, and the one that the server knows of */
  #frame = "";
  #acknowledged = "";
  #isAcknowledging = false;
  /** whether the next session that opens was started here */
  #isBeginning = false;
  /** when something was last received */
  #heard = performance.now();

  /**
   * @param {object} callbacks
   * @param {(pace: InitialPace) => Promise<string | null>} callbacks.start starts a session and returns its id, or null if that failed
   * @param {(session: Session) => void} callbacks.onOpened called with the settings of a session that was opened
   * @param {(state: SessionState) => void} callbacks.onState
   */
  constructor({ start, onOpened, onState }) {
    this.start = start;
    this.onOpened = onOpened;
    this.onState = onState;
    this.speed = new SpeedControl("speed", SPEEDS, (speed) => { if (this.isActive) void this.#setPace({ speed }); });
    this.runButton = element("button", { id: "run", type: "button", class: "primary", click: () => this.run() });
    this.stepButton = element("button", { id: "step", type: "button", click: () => this.step() }, "Step");
    this.stopButton = element("button", { id: "stop", type: "button", click: () => { if (this.isActive) void this.#send("stop", {}); } }, "Stop");
    this.saveControl = new SaveControl(() => this.#save());
    this.message = element("p", { id: "message", class: "message", role: "alert", hidden: true });
    this.comparison = new Comparison();
    this.gamesArea = element("div", { class: "games" });
    this.course = new LiveCourse((move) => this.#replayAt(move));
    this.ask = new AskPanel({ addressOf: null });
    this.element = element("div", { id: "boards", class: "boards" }, this.comparison.element, this.gamesArea, this.course.element);
    this.controls = element(
      "div",
      { class: "controls", role: "group", "aria-label": "Game controls" },
      element("div", { class: "buttons" }, this.runButton, this.stepButton, this.stopButton),
      this.speed.element,
    );
    this.outcome = element("div", { class: "outcome" }, this.message, this.saveControl.element);
    // Of a single game; those of several stay below their boards.
    this.choice = element("div", { class: "choice-beside" });
    this.removeShortcuts = addShortcuts({ " ": () => this.run(), ArrowRight: () => this.step() });
    this.thinking = setInterval(() => this.#showThinking(), THOUGHT_INTERVAL_MS);
    this.#setState("idle");
    this.#lookBack();
  }

  /** In step, those agents think that have made the fewest moves. */
  #showThinking() {
    const waited = performance.now() - this.#heard;
    const isSlow = this.state === "playing" && waited > SHORTEST_THOUGHT_MS + 1000 / (this.speed.value ?? Infinity);
    const playing = this.#games.filter(({ ending }) => ending === null);
    const fewest = Math.min(...playing.map(({ moves }) => moves.length));
    for (const game of this.#games) {
      game.setThinking(isSlow && playing.includes(game) && game.moves.length === fewest ? waited / 1000 : null);
    }
  }

  get isActive() {
    return this.state === "playing" || this.state === "paused";
  }

  /** @param {SessionState} state */
  #setState(state) {
    this.state = state;
    this.element.dataset.state = state;
    this.runButton.textContent = RUN_LABELS[state];
    enable(this.runButton, state !== "starting");
    enable(this.stepButton, state !== "starting");
    enable(this.stopButton, this.isActive);
    this.onState(state);
  }

  /**
   * Shows empty boards for the chosen agents.
   * @param {string[]} names
   * @param {number} side
   */
  prepare(names, side) {
    if (this.isActive) return;
    this.#setGames(names.map((name) => new GamePanel(name, "", side)));
  }

  /** @param {GamePanel[]} games */
  #setGames(games) {
    this.#games = games;
    this.gamesArea.replaceChildren(...games.map((game) => game.element));
    this.gamesArea.dataset.games = String(games.length);
    this.choice.replaceChildren(...(games.length === 1 ? games.map((game) => game.choice.element) : []));
    this.comparison.set(games);
  }

  /**
   * Shows a session.
   * @param {string | null} id null for none
   */
  open(id) {
    if (id === this.id) return;
    this.#closeStream();
    this.id = id;
    this.#shownId = null;
    this.#pace = null;
    this.#frame = "";
    this.#acknowledged = "";
    this.#showMessage("");
    this.saveControl.show(null, false);
    if (id === null) {
      this.#setState("idle");
      this.#lookBack();
      return;
    }
    this.#setState("starting");
    this.#lookBack();
    /** @type {{ session: (session: Session) => void, game: (update: GameUpdate, frame: string) => void, pace: (pace: PaceState, frame: string) => void }} */
    const handlers = {
      session: (session) => this.#onSession(session),
      game: (update, frame) => {
        this.#onGame(update);
        void this.#acknowledge(frame);
      },
      pace: (pace, frame) => {
        this.#onPace(pace);
        void this.#acknowledge(frame);
      },
    };
    this.#closeStream = openStream(path`/api/sessions/${id}/events`, handlers, (reason) => this.#onGone(reason));
  }

  /**
   * Tells the server how far this page has got. The server sends only a few frames ahead, so
   * Pause does not wait behind hundreds of old boards on a slow connection.
   * @param {string} frame
   */
  async #acknowledge(frame) {
    this.#frame = frame;
    if (this.#isAcknowledging) return;
    this.#isAcknowledging = true;
    while (this.#frame !== this.#acknowledged && this.id !== null) {
      this.#acknowledged = this.#frame;
      try {
        await post(path`/api/sessions/${this.id}/seen`, { frame: this.#frame });
      } catch {
        // The stream itself notices a lost connection.
        break;
      }
    }
    this.#isAcknowledging = false;
  }

  /** @param {Session} session */
  #onSession(session) {
    // After a lost connection the boards are still there.
    if (this.#shownId === session.id) return;
    this.#shownId = session.id;
    this.#session = session;
    this.#setGames(session.games.map(({ name, params }) => new GamePanel(name, parametersInWords(params), session.size, undefined, settingsOf(session))));
    this.onOpened(session);
  }

  /** @param {GameUpdate} update */
  #onGame(update) {
    this.#heard = performance.now();
    this.#games[update.game]?.set(update, slideTime(this.speed.value));
    this.comparison.set(this.#games);
    this.#offerSave();
    this.#lookBack();
    // The form has been folded, and the boards have another height than the empty ones.
    if (this.#isBeginning) this.#showBoards();
    this.#isBeginning = false;
  }

  /** @param {PaceState} pace */
  #onPace(pace) {
    this.#pace = pace;
    this.#heard = performance.now();
    const activeState = pace.running ? "playing" : "paused";
    const state = pace.over ? "over" : activeState;
    this.speed.set(pace.speed);
    this.#offerSave();
    if (state === this.state) return;
    this.#setState(state);
    this.#lookBack();
    if (state !== "playing") announce(this.#inWords());
  }

  /** While nothing moves, the games so far are shown as curves, and agents can be asked. */
  #lookBack() {
    const isStill = this.state === "paused" || this.state === "over";
    const session = this.#session;
    this.ask.element.hidden = !isStill || session === null;
    this.course.element.hidden = !isStill;
    if (!isStill || session === null || this.id === null) return;
    const { seed, size, four_share: share } = session;
    const games = this.#games.map(({ name, moves }) => ({ name, source: { seed, size, four_share: share, moves }, nMoves: moves.length, size }));
    this.ask.setGames(games, Math.max(0, ...games.map(({ nMoves }) => nMoves)));
    void this.course.show(this.id, this.#games.map(({ name, moves }) => ({ name, nMoves: moves.length })), this.#canSave);
  }

  /**
   * Opens the games in Replay, where every move can be looked at. They are saved for that.
   * @param {number} move
   */
  async #replayAt(move) {
    try {
      const { run } = this.#pace?.saved ?? await this.#save();
      location.hash = `replay/${encodeURIComponent(run)}/${this.#games.length > 1 ? "0/1" : "0"}@${move}`;
    } catch (error) {
      this.#showMessage(messageOf(error));
    }
  }

  /** Only games that were played to their end have a record. */
  #offerSave() {
    if (this.#pace !== null) this.saveControl.show(this.#pace.saved, this.#canSave, this.#games.length);
  }

  get #canSave() {
    const isComplete = this.#games.every(({ ending }) => ending !== null && !UNFINISHED.includes(ending.kind));
    return isComplete && this.#pace?.over === true && this.#games.some((game) => game.moves !== "");
  }

  /** @returns {Promise<SavedSession>} */
  #save() {
    return post(path`/api/sessions/${this.id}/save`, {});
  }

  #inWords() {
    const sentences = this.#games.map((game) => {
      const ending = game.ending ? `${headline(game.name, game.ending)}. ` : "";
      return `${ending}${game.name}: score ${count(game.score)} after ${counted(game.moves.length, "move")}.`;
    });
    return `${this.state === "paused" ? "Paused. " : ""}${sentences.join(" ")}`;
  }

  /** @param {string} reason */
  #onGone(reason) {
    this.#setState("gone");
    this.#showMessage(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
  }

  /** @param {string} text */
  #showMessage(text) {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }

  run() {
    if (this.state === "playing") void this.#setPace({ running: false });
    else if (this.state === "paused") void this.#setPace({ running: true });
    else if (this.state !== "starting") void this.#begin(true);
  }

  step() {
    if (this.isActive) void this.#setPace({ step: true });
    else if (this.state !== "starting") void this.#begin(false);
  }

  /** @param {boolean} isRunning false to make a single step */
  async #begin(isRunning) {
    this.#showMessage("");
    const before = this.state;
    this.#setState("starting");
    this.#isBeginning = true;
    const id = await this.start({ running: isRunning, speed: this.speed.value });
    if (id === null) {
      this.#setState(before);
      return;
    }
    if (!isRunning) await this.#setPace({ step: true });
    this.#showBoards();
  }

  /** Scrolls to the boards, or to the first of them where they do not all fit. */
  #showBoards() {
    const fits = this.gamesArea.getBoundingClientRect().height <= innerHeight;
    this.gamesArea.scrollIntoView({ block: fits ? "nearest" : "start" });
  }

  /** @param {PaceRequest} change */
  #setPace(change) {
    return this.#send("pace", change);
  }

  /**
   * @param {"pace" | "stop"} action
   * @param {PaceRequest} body
   */
  async #send(action, body) {
    try {
      await post(path`/api/sessions/${this.id}/${action}`, body);
    } catch (error) {
      if (isNotFound(error)) this.#onGone(messageOf(error));
      else this.#showMessage(messageOf(error));
    }
  }

  close() {
    this.#closeStream();
    clearInterval(this.thinking);
    this.ask.close();
    this.removeShortcuts();
  }
}
