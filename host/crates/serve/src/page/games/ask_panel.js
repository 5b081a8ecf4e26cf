// Ask any agent: what it would play on the position that is shown, and where in the whole game
// it would have played something else.
import { announce } from "../dom/announcements.js";
import { element } from "../dom/element.js";
import { AskForm } from "../forms/ask_form.js";
import { diagnosticsOf, get, messageOf } from "../net/api.js";
import { onReconnected } from "../net/connection.js";
import { ask } from "../net/questions.js";
import { count, counted } from "../shared/number.js";
import { AnswerCard } from "./answer_card.js";
import { agreementInWords, disagreementInWords, moveInWords, turningPoints } from "./turning_points.js";
/** @import { AgentCatalog, Answer, AnswerEvent, AskedAgent, Direction, FieldDiagnostic, Question } from "../net/server_json.js" */

// A viewer who steps through moves quickly does not ask about every one.
const DELAY_MS = 200;
const DRAW_INTERVAL_MS = 250;

/**
 * A game with positions to ask about.
 * @typedef {{ name: string, source: Question["game"], nMoves: number, size: number }} GameToAsk
 */

/**
 * What an agent said along a game.
 * @typedef {{ agent: AskedAgent, game: number, answers: Answer[] }} WalkedGame
 */

export class AskPanel {
  /** @type {GameToAsk[]} */
  #games = [];
  /** tells one set of games from another */
  #key = "";
  #position = 0;
  /** whether every position that is shown is asked about */
  #isAsking = false;
  /** @type {AbortController | null} */
  #question = null;
  /** @type {AbortController | null} */
  #walk = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {AskForm | null} */
  #form = null;

  /**
   * @param {object} options
   * @param {((move: number, game: number) => string) | null} options.addressOf the address of a move; null if the whole game cannot be asked about
   * @param {(walked: WalkedGame[]) => void} [options.onWalked] called with what is known so far
   * @param {(game: number, directions: Direction[]) => void} [options.onAnswers] called with the moves that agents would make on the position that is shown
   */
  constructor({ addressOf, onWalked = () => {}, onAnswers = () => {} }) {
    this.addressOf = addressOf;
    this.onWalked = onWalked;
    this.onAnswers = onAnswers;
    this.formArea = element("div");
    this.which = element("select", { id: "asked-game", change: () => this.#restart() });
    this.whichField = element("div", { class: "field", hidden: true }, element("label", { for: "asked-game" }, "Whose position"), this.which);
    this.askButton = element("button", { type: "button", id: "ask", class: "primary", click: () => this.#toggle() }, "Ask here");
    this.walkButton = element("button", { type: "button", id: "walk", click: () => this.#toggleWalk() }, "Find turning points");
    this.walkButton.hidden = addressOf === null;
    this.buttons = element("div", { class: "buttons" }, this.askButton, this.walkButton);
    this.place = element("p", { class: "meta", id: "asked-position", hidden: true });
    this.answers = element("div", { class: "answers" });
    this.walked = element("div", { class: "walked" });
    this.element = element(
      "section",
      { class: "ask", "aria-label": "Ask an agent" },
      element("h2", {}, "Ask an agent"),
      element("p", { class: "meta" }, "What would it play here? It thinks in a worker of its own, with the budget that you give it."),
      this.whichField, this.formArea, this.buttons, this.place, this.answers, this.walked,
    );
    // What failed because the server was away is asked again.
    this.stopListening = onReconnected(() => {
      this.#form?.showDiagnostics([]);
      this.#restart();
    });
    this.#load().catch((error) => { this.formArea.textContent = messageOf(error); });
  }

  async #load() {
    /** @type {AgentCatalog} */
    const { agents, limits } = await get("/api/agents");
    this.#form = new AskForm(agents, limits.agents, () => this.#restart());
    this.buttons.append(this.#form.addButton);
    this.formArea.replaceChildren(this.#form.element);
    this.#form.setSize(this.#size);
  }

  get #game() {
    return this.#games[this.#gameIndex];
  }

  get #size() {
    return this.#game?.size ?? 4;
  }

  /**
   * The games whose positions are shown, and the position, by the number of moves made before
   * it. What was said about other games is removed.
   * @param {GameToAsk[]} games
   * @param {number} [position]
   */
  setGames(games, position = this.#position) {
    const key = JSON.stringify(games);
    const isSame = key === this.#key;
    const names = games.map(({ name }) => name);
    if (JSON.stringify(names) !== JSON.stringify(this.#games.map(({ name }) => name))) {
      this.which.replaceChildren(...names.map((name, index) => element("option", { value: index }, name)));
      this.whichField.hidden = games.length < 2;
    }
    this.#games = games;
    this.#key = key;
    if (!isSame) {
      this.#stopWalk();
      this.walked.replaceChildren();
      this.onWalked([]);
      this.#form?.setSize(this.#size);
    }
    if (!isSame || position !== this.#position) {
      this.#position = position;
      this.#restart();
    }
  }

  /**
   * Another position of the same games is shown.
   * @param {number} position
   */
  setPosition(position) {
    this.setGames(this.#games, position);
  }

  #clear() {
    this.#question?.abort();
    this.place.hidden = true;
    this.answers.replaceChildren();
    this.onAnswers(this.#gameIndex, []);
  }

  get #gameIndex() {
    return Number(this.which.value) || 0;
  }

  /** Asks again, if agents are being asked. */
  #restart() {
    clearTimeout(this.#timer);
    this.#question?.abort();
    // Answers to another position stay, marked as such, until the new ones come.
    this.answers.classList.add("old");
    if (this.#isAsking) this.#timer = setTimeout(() => void this.#ask(), DELAY_MS);
  }

  #toggle() {
    this.#isAsking = !this.#isAsking;
    this.askButton.textContent = this.#isAsking ? "Stop asking" : "Ask here";
    if (this.#isAsking) void this.#ask();
    else this.#clear();
  }

  async #ask() {
    const game = this.#game;
    if (game === undefined) return;
    const position = Math.min(this.#position, game.nMoves);
    /** @type {AnswerCard[]} */
    let cards = [];
    /** @type {Direction[]} */
    const directions = [];
    const control = new AbortController();
    this.#question?.abort();
    this.#question = control;
    /** @param {AnswerEvent} event */
    const onEvent = (event) => {
      if (event.kind === "asked") {
        cards = event.agents.map((agent) => new AnswerCard(agent));
        this.place.textContent = `${position === 0 ? "At the start" : `After ${counted(position, "move")}`} of ${game.name}`;
        this.place.hidden = false;
        this.answers.classList.remove("old");
        this.answers.replaceChildren(...cards.map((card) => card.element));
      } else if (event.kind === "answer") {
        cards[event.agent]?.set(event);
        directions.push(event.direction);
        this.onAnswers(this.#gameIndex, directions);
      } else if (event.kind === "failed") {
        cards[event.agent]?.fail(event.sentence);
      } else if (cards[event.agent]?.element.dataset.direction === undefined) {
        cards[event.agent]?.fail("the game is over here");
      }
    };
    await this.#put(game, position, position, onEvent, control.signal);
  }

  /**
   * Sends a question and shows what is wrong with it.
   * @param {GameToAsk} game
   * @param {number} from
   * @param {number} to
   * @param {(event: AnswerEvent) => void} onEvent
   * @param {AbortSignal} signal
   */
  async #put(game, from, to, onEvent, signal) {
    /** @type {FieldDiagnostic[]} */
    const diagnostics = [];
    const agents = this.#form?.read(diagnostics) ?? [];
    try {
      if (diagnostics.length === 0) await ask({ game: game.source, agents, from, to }, onEvent, signal);
    } catch (error) {
      if (signal.aborted) return false;
      diagnostics.push(...diagnosticsOf(error));
    }
    this.#form?.showDiagnostics(diagnostics);
    return diagnostics.length === 0;
  }

  #stopWalk() {
    this.#walk?.abort();
    this.#walk = null;
    this.walkButton.textContent = "Find turning points";
  }

  #toggleWalk() {
    if (this.#walk === null) void this.#walkGame();
    else this.#stopWalk();
  }

  async #walkGame() {
    const game = this.#game;
    if (game === undefined) return;
    const control = new AbortController();
    this.#walk = control;
    this.walkButton.textContent = "Stop";
    /** @type {WalkedGame[]} */
    let walked = [];
    let drawn = 0;
    const draw = () => {
      drawn = performance.now();
      // The numbers are those of the marks on the graph.
      let nBefore = 0;
      this.walked.replaceChildren(...walked.map((one) => {
        const list = this.#makeList(one, game, nBefore + 1);
        nBefore += turningPoints(one.answers).length;
        return list;
      }));
      this.onWalked(walked);
    };
    /** @param {AnswerEvent} event */
    const onEvent = (event) => {
      if (event.kind === "asked") walked = event.agents.map((agent) => ({ agent, game: this.#gameIndex, answers: [] }));
      if (event.kind === "answer") walked[event.agent]?.answers.push(event);
      if (performance.now() > drawn + DRAW_INTERVAL_MS) draw();
    };
    const isComplete = await this.#put(game, 0, game.nMoves, onEvent, control.signal);
    if (control.signal.aborted) return;
    draw();
    this.#stopWalk();
    if (isComplete) announce(walked.map(({ agent, answers }) => `${agent.name} ${agreementInWords(answers)}.`).join(" "));
  }

  /**
   * @param {WalkedGame} walked
   * @param {GameToAsk} game
   * @param {number} first the number of its first turning point
   */
  #makeList({ agent, game: index, answers }, game, first) {
    const points = turningPoints(answers);
    const isWalking = answers.length < game.nMoves;
    return element(
      "section",
      { class: "turning-points", "aria-label": `Turning points by ${agent.name}` },
      element("h3", {}, `Turning points by ${agent.name}`),
      element("p", { class: "meta" },
        isWalking ? `${count(answers.length)} of ${counted(game.nMoves, "move")} so far; ${agent.name} ` : `${agent.name} `,
        agreementInWords(answers), points.length === 0 ? "." : ". It disagrees most here:"),
      element("ol", { start: first }, points.map((answer) => element(
        "li",
        {},
        element("a", { href: this.addressOf?.(answer.n, index) ?? null }, `move ${count(answer.n + 1)}`),
        " ", element("b", {}, moveInWords(answer.direction)), ` ${disagreementInWords(answer)}`,
      ))),
    );
  }

  /** Ends the workers. */
  close() {
    this.stopListening();
    clearTimeout(this.#timer);
    this.#question?.abort();
    this.#walk?.abort();
  }
}
