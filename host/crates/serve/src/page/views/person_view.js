// You: a person plays with arrow keys, W A S D, swipes or buttons, on the same tiles that
// agents get. The server has the rules; the page keeps the moves, so a reload loses nothing.
import { announce } from "../dom/announcements.js";
import { element, enable } from "../dom/element.js";
import { addShortcuts } from "../dom/keyboard.js";
import { bestScore, recall, remember } from "../dom/storage.js";
import { onSwipe } from "../dom/swipe.js";
import { settingsOf } from "../explain/position.js";
import { showDiagnostics } from "../forms/field.js";
import { GameForm, rememberedGame } from "../forms/game_form.js";
import { AskPanel } from "../games/ask_panel.js";
import { GamePanel } from "../games/game_panel.js";
import { ask, diagnosticsOf, get, post } from "../net/api.js";
import { arrow, inWords } from "../text/directions.js";
import { count, counted } from "../shared/number.js";
import { ResultTable } from "./result_table.js";
/** @import { AgentCatalog, AgentChoice, Direction, FieldDiagnostic, PersonGame, PersonRequest, SessionRequest } from "../net/server_json.js" */
/** @import { View } from "./view.js" */

const INTRODUCTION = "Move the tiles with the arrow keys, W A S D or a swipe; R starts again. "
  + "Agents get the same tiles on the same seed, board and share of 4s.";
const SLIDE_MS = 110;
// Moves that are entered while the server responds. A longer queue would be played blindly.
const MAX_QUEUE = 3;
// In the order of the arrow keys of most keyboards.
/** @type {Direction[]} */
const BUTTONS = ["L", "U", "D", "R"];
/** @type {Record<string, Direction>} */
const KEYS = {
  arrowup: "U", w: "U", k: "U", arrowright: "R", d: "R", l: "R", arrowdown: "D", s: "D", j: "D", arrowleft: "L", a: "L", h: "L",
};

/**
 * @param {HTMLElement} area
 * @returns {View}
 */
export const open = (area) => {
  /** @type {PersonRequest} */
  const game = recall("person", { ...rememberedGame(), moves: "" });
  const view = new PersonView(area, game);
  void view.begin(game);
  return { update: () => {}, close: () => view.close() };
};

class PersonView {
  /** @type {Direction[]} */
  #queue = [];
  #isWaiting = false;
  /** @type {PersonGame | null} the last response of the server */
  #answer = null;
  /** @type {PersonRequest} */
  #game;
  /** @type {PersonRequest | null} the game that was asked for last */
  #wanted = null;
  /** @type {PersonRequest | null} an unfinished game that another one has replaced */
  #left = null;

  /**
   * @param {HTMLElement} area
   * @param {PersonRequest} game
   */
  constructor(area, game) {
    this.#game = game;
    this.panel = new GamePanel("Your game", "", rememberedGame().size, ["Score", "Best", "Move", "Highest"]);
    this.tiles = element("small", { id: "own-tiles" });
    this.panel.element.querySelector("h2")?.append(this.tiles);
    this.overScore = element("p");
    const again = element("button", { id: "again", type: "button", class: "primary", click: () => this.#restart() }, "Try again");
    this.over = element("div", { class: "game-over", hidden: true }, element("p", {}, element("strong", {}, "Game over")), this.overScore, again);
    this.panel.stage.append(this.over);
    this.undo = element("button", { id: "undo-new-game", type: "button", hidden: true, click: () => void this.#goBack() }, "Back to your game");
    this.panel.element.append(this.undo);
    const board = this.panel.board.element;
    board.setAttribute("role", "application");
    board.setAttribute("tabindex", "0");
    board.setAttribute("aria-roledescription", "2048 board");
    board.classList.add("own");
    onSwipe(board, (direction) => this.#play(direction));
    this.buttons = BUTTONS.map((direction) => ({
      direction,
      button: element("button", {
        type: "button", "aria-label": inWords(direction), "data-direction": direction, click: () => this.#play(direction),
      }, arrow(direction)),
    }));
    this.form = new GameForm({ hasBudget: false });
    this.newButton = element("button", { id: "new-game", class: "primary" }, "New game");
    this.generalError = element("p", { class: "error", role: "alert", hidden: true });
    this.results = new ResultTable();
    this.ask = new AskPanel({ addressOf: null });
    this.agent = element("select", { id: "opponent" });
    this.challengeButton = element("button", { id: "challenge", type: "button", click: () => void this.#challenge() }, "Let it play these tiles");
    const settings = element("form", { class: "settings", novalidate: true, submit: (event) => {
      event.preventDefault();
      this.#startNewGame();
    } }, this.generalError, this.form.element, this.newButton);
    // A board without moves always shows the tiles that the form names.
    settings.addEventListener("change", () => this.#adopt());
    const challenge = element("div", { class: "challenge" }, element("label", { for: "opponent" }, "Agent"), this.agent, this.challengeButton);
    area.append(
      element("p", { class: "introduction" }, INTRODUCTION),
      element(
        "div",
        { class: "layout you" },
        element("div", { id: "boards", class: "boards" }, element("div", { class: "games", "data-games": 1 }, this.panel.element)),
        element(
          "div",
          { class: "panel" },
          element("div", { class: "controls" },
            element("div", { class: "arrow-buttons", role: "group", "aria-label": "Move" }, this.buttons.map(({ button }) => button))),
          settings,
          this.ask.element,
          element("section", {}, element("h2", {}, "Agents on these tiles"), challenge, this.results.element),
        ),
      ),
    );
    const shortcuts = Object.entries(KEYS).map(([key, direction]) => [key, () => this.#play(direction)]);
    this.removeShortcuts = addShortcuts({ ...Object.fromEntries(shortcuts), r: () => this.#restart() });
    void this.#offerAgents();
  }

  async #offerAgents() {
    try {
      /** @type {AgentCatalog} */
      const { agents } = await get("/api/agents");
      this.agent.replaceChildren(...agents.map(({ plugin }) => element("option", { value: plugin }, plugin)));
      this.agent.value = rememberedAgent()?.plugin ?? "mcts";
      if (this.agent.selectedIndex < 0) this.agent.selectedIndex = 0;
    } catch (error) {
      this.#showDiagnostics(diagnosticsOf(error));
    }
    this.challengeButton.disabled = this.agent.options.length === 0;
  }

  #startNewGame() {
    /** @type {FieldDiagnostic[]} */
    const diagnostics = [];
    const tiles = this.form.readTiles(diagnostics);
    if (diagnostics.length > 0) {
      this.#showDiagnostics(diagnostics);
      return;
    }
    void this.#begin({ ...tiles, moves: "" });
    this.panel.board.element.focus();
  }

  /** Shows the tiles of the form, unless that would end a game; the button then says which it starts. */
  #adopt() {
    const tiles = this.form.readTiles([]);
    const isSame = tiles.seed === this.#game.seed && tiles.size === this.#game.size && tiles.four_share === this.#game.four_share;
    const isPlaying = this.#game.moves !== "" && !this.#answer?.ending;
    this.newButton.textContent = isSame || tiles.seed === null ? "New game" : `New game on seed ${tiles.seed}`;
    if (!isSame && !isPlaying && tiles.seed !== null) this.#startNewGame();
  }

  /** Starts again on the same tiles. */
  #restart() {
    void this.#begin({ ...this.#game, moves: "" });
    this.panel.board.element.focus();
  }

  async #goBack() {
    if (this.#left !== null) await this.#begin(this.#left);
    this.panel.board.element.focus();
  }

  /**
   * Replaces the game, which can be returned to if it is not over.
   * @param {PersonRequest} game
   */
  async #begin(game) {
    const left = this.#game.moves !== "" && this.#answer?.ending === null ? { ...this.#game } : null;
    if (!await this.begin(game)) return;
    this.#left = left;
    this.undo.hidden = left === null;
    this.undo.textContent = `Back to your game at move ${count(left?.moves.length ?? 0)}`;
  }

  /**
   * Shows a game as soon as the server has accepted it; until then nothing changes.
   * @param {PersonRequest} game
   */
  async begin(game) {
    this.#wanted = game;
    try {
      /** @type {PersonGame} */
      const answer = await ask("/api/person", game);
      if (this.#wanted !== game) return false;
      this.#queue = [];
      this.#game = game;
      this.panel.explain.settings = settingsOf(game);
      this.panel.clear();
      this.tiles.textContent = `seed ${game.seed}`;
      this.newButton.textContent = "New game";
      this.#showDiagnostics([]);
      this.#accept(answer, game.moves);
      return true;
    } catch (error) {
      this.#showDiagnostics(diagnosticsOf(error));
      return false;
    }
  }

  /** @param {Direction} direction */
  #play(direction) {
    if (this.#answer === null || this.#answer.ending !== null || this.#queue.length >= MAX_QUEUE) return;
    this.#queue.push(direction);
    void this.#playQueue();
  }

  async #playQueue() {
    if (this.#isWaiting) return;
    for (let direction = this.#queue.shift(); direction !== undefined; direction = this.#queue.shift()) {
      if (this.#answer?.legal.includes(direction)) await this.#request(this.#game.moves + direction);
    }
  }

  /**
   * Sends all moves from the start, so that the server need not store the game.
   * @param {string} moves
   */
  async #request(moves) {
    this.#isWaiting = true;
    const game = this.#game;
    try {
      /** @type {PersonGame} */
      const answer = await ask("/api/person", { ...game, moves });
      // A new game may have been started in the meantime.
      if (this.#game !== game) return;
      this.#showDiagnostics([]);
      this.#accept(answer, moves);
    } catch (error) {
      this.#showDiagnostics(diagnosticsOf(error));
    } finally {
      this.#isWaiting = false;
    }
  }

  /**
   * @param {PersonGame} answer
   * @param {string} moves
   */
  #accept(answer, moves) {
    this.#answer = answer;
    const isFirst = this.#game.moves === moves;
    this.#game.moves = moves;
    remember("person", this.#game);
    const step = isFirst ? null : answer.step;
    this.panel.set({ ...answer, from: 0, moves, evaluation: null, step }, SLIDE_MS);
    this.panel.stats.set({ Best: bestScore(Number(this.#game.size), answer.score) });
    this.over.hidden = answer.ending === null;
    this.overScore.textContent = `${count(answer.score)} points in ${counted(answer.n, "move")}`;
    for (const { direction, button } of this.buttons) enable(button, answer.legal.includes(direction));
    if (answer.ending !== null) announce(`Game over. Your score is ${count(answer.score)}.`);
    this.results.setOwn(answer);
    this.ask.setGames([{ name: "your game", source: { ...this.#game }, nMoves: moves.length, size: Number(this.#game.size) }], moves.length);
    if (isFirst || answer.ending !== null) void this.results.load(this.#game);
  }

  /** @param {FieldDiagnostic[]} diagnostics */
  #showDiagnostics(diagnostics) {
    showDiagnostics(this.form.fields, diagnostics, this.generalError);
  }

  async #challenge() {
    const { seed, size, four_share: share } = this.#game;
    const remembered = rememberedAgent();
    const params = remembered?.plugin === this.agent.value ? remembered.params ?? {} : {};
    /** @type {SessionRequest} */
    const request = {
      agents: [{ plugin: this.agent.value, params }], seed, size, four_share: share, budget: null, running: true, speed: 8,
    };
    try {
      /** @type {{ id: string }} */
      const { id } = await post("/api/sessions", request);
      location.hash = `play/${encodeURIComponent(id)}`;
    } catch (error) {
      this.#showDiagnostics(diagnosticsOf(error));
    }
  }

  close() {
    this.ask.close();
    this.removeShortcuts();
  }
}

/** The agent that was chosen last in Play. */
const rememberedAgent = () => {
  /** @type {AgentChoice[]} */
  const agents = recall("play.agents", []);
  return agents[0];
};
