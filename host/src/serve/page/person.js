// A person plays: by arrow keys, W A S D, swipes or buttons, on tiles that agents can
// meet, too. The server plays the rules; the page keeps the moves, so a reload goes on.
import { get, post } from "./api.js";
import { arrow, element, enable, inWords, whole } from "./element.js";
import { showMistakes } from "./field.js";
import { GameForm, rememberedGame } from "./game_form.js";
import { listen } from "./keys.js";
import { Lane } from "./lane.js";
import { recall, remember } from "./memory.js";
import { announce } from "./notice.js";
import { ResultTable } from "./result_table.js";
import { onSwipe } from "./swipe.js";

const INTRODUCTION = "Arrow keys, W A S D or a swipe move the tiles. "
  + "Agents that play the same seed, board and share of 4s meet the same tiles.";
const SLIDE_MS = 110;
// Keys that were pressed while the server answered; more would be played blindly.
const LONGEST_QUEUE = 3;

export const open = (place) => {
  const person = new Person(place);
  person.begin(recall("person", { ...rememberedGame(), moves: "" }));
  return { update: () => {}, close: () => person.close() };
};

class Person {
  constructor(place) {
    this.queue = [];
    this.isAsking = false;
    this.answer = null;
    this.lane = new Lane("Your game", "", rememberedGame().size);
    const board = this.lane.board.element;
    board.setAttribute("role", "application");
    board.setAttribute("tabindex", "0");
    board.setAttribute("aria-roledescription", "2048 board");
    board.classList.add("own");
    onSwipe(board, (direction) => this.play(direction));
    // In the order of the arrow keys of most keyboards.
    this.buttons = ["L", "U", "D", "R"].map((direction) => element("button", {
      type: "button", "aria-label": inWords(direction), "data-direction": direction, click: () => this.play(direction),
    }, arrow(direction)));
    this.game = new GameForm({ hasBudget: false });
    this.rest = element("p", { class: "mistake", role: "alert", hidden: true });
    this.results = new ResultTable();
    this.agent = element("select", { id: "rival" });
    this.challengeButton = element("button", { id: "challenge", type: "button", click: () => this.challenge() }, "Let it play these tiles");
    const form = element("form", { class: "settings", novalidate: true, submit: (event) => {
      event.preventDefault();
      const mistakes = [];
      const game = this.game.read(mistakes);
      if (mistakes.length > 0) {
        this.complain({ mistakes });
        return;
      }
      this.game.keep();
      this.begin({ ...game, moves: "" });
      board.focus();
    } }, this.rest, this.game.element, element("button", { id: "new-game", class: "primary" }, "New game"));
    const challenge = element("div", { class: "challenge" }, element("label", { for: "rival" }, "Agent"), this.agent, this.challengeButton);
    place.append(
      element("p", { class: "introduction" }, INTRODUCTION),
      element(
        "div",
        { class: "watch you" },
        element("div", { id: "stage", class: "stage" }, element("div", { class: "lanes", "data-lanes": 1 }, this.lane.element)),
        element(
          "div",
          { class: "panel" },
          element("div", { class: "transport" }, element("div", { class: "pad", role: "group", "aria-label": "Move" }, this.buttons)),
          form,
          element("section", {}, element("h2", {}, "Agents on these tiles"), challenge, this.results.element),
        ),
      ),
    );
    const keys = { arrowup: "U", w: "U", arrowright: "R", d: "R", arrowdown: "D", s: "D", arrowleft: "L", a: "L" };
    this.endKeys = listen(Object.fromEntries(Object.entries(keys).map(([key, direction]) => [key, () => this.play(direction)])));
    this.offerAgents();
  }

  async offerAgents() {
    try {
      const { agents } = await get("/api/agents");
      this.agent.replaceChildren(...agents.map(({ plugin }) => element("option", { value: plugin }, plugin)));
      this.agent.value = recall("play.agents", [])[0]?.plugin ?? "mcts";
      if (this.agent.selectedIndex < 0) this.agent.selectedIndex = 0;
    } catch (refusal) {
      this.complain(refusal);
    }
    this.challengeButton.disabled = this.agent.options.length === 0;
  }

  begin(game) {
    this.queue = [];
    this.answer = null;
    this.state = game;
    this.lane.clear();
    return this.ask(game.moves);
  }

  play(direction) {
    if (this.answer === null || this.answer.over || this.queue.length >= LONGEST_QUEUE) return;
    this.queue.push(direction);
    this.playOn();
  }

  async playOn() {
    if (this.isAsking) return;
    while (this.queue.length > 0) {
      const direction = this.queue.shift();
      if (this.answer?.legal.includes(direction)) await this.ask(this.state.moves + direction);
    }
  }

  /** The server answers for all moves from the start, so that it need remember nothing. */
  async ask(moves) {
    this.isAsking = true;
    const { state } = this;
    try {
      const answer = await post("/api/person", { ...state, moves });
      // A new game was begun in the meantime.
      if (this.state !== state) return;
      this.complain({ mistakes: [] });
      this.accept(answer, moves);
    } catch (refusal) {
      this.complain(refusal);
    } finally {
      this.isAsking = false;
    }
  }

  accept(answer, moves) {
    this.answer = answer;
    const isNew = this.state.moves === moves;
    this.state.moves = moves;
    remember("person", this.state);
    const ending = answer.over ? { kind: "no-move-left", fault: false, sentence: "no move is left" } : null;
    const step = isNew ? null : answer.step;
    this.lane.set({ ...answer, from: 0, moves, thought: null, step, ending }, SLIDE_MS);
    for (const button of this.buttons) enable(button, answer.legal.includes(button.dataset.direction));
    if (answer.over) announce(`Game over. Your score is ${whole(answer.score)}.`);
    this.results.setOwn(answer);
    if (isNew || answer.over) this.results.load(this.state);
  }

  complain(refusal) {
    showMistakes(this.game.fields, refusal.mistakes ?? [{ field: "", message: String(refusal) }], this.rest);
  }

  async challenge() {
    const { seed, size, four_share: share } = this.state;
    const remembered = recall("play.agents", [])[0];
    const params = remembered?.plugin === this.agent.value ? remembered.params : {};
    try {
      const agents = [{ plugin: this.agent.value, params }];
      const { id } = await post("/api/shows", { agents, seed, size, four_share: share, budget: null, running: true, speed: 8 });
      location.hash = `play/${encodeURIComponent(id)}`;
    } catch (refusal) {
      this.complain(refusal);
    }
  }

  close() {
    this.endKeys();
  }
}
