// Play and Compare: a form with one agent or several, and the stage beside it.
import { get, post } from "./api.js";
import { AgentForm } from "./agent_form.js";
import { element } from "./element.js";
import { showMistakes } from "./field.js";
import { GameForm } from "./game_form.js";
import { recall, remember } from "./memory.js";
import { Stage } from "./stage.js";

/** Agents that are shown first to someone who has chosen none. */
const FIRST = ["mcts", "expectimax", "snake", "greedy"];

export const open = (place, [id], { key, least, most, introduction }) => {
  let view = null;
  let wanted = id ?? null;
  let isClosed = false;
  const notice = element("p", { class: "message" }, "Looking for agents…");
  place.append(element("p", { class: "introduction" }, introduction), notice);
  get("/api/agents").then((found) => {
    if (isClosed) return;
    if (found.agents.length === 0) {
      notice.textContent = "No agents were found. `host serve --plugins DIR` looks for them in a folder.";
      return;
    }
    notice.remove();
    view = new Watch(place, found, { key, least, most: Math.min(most, found.limits?.lanes ?? most) });
    view.look(wanted);
  }).catch((refusal) => { notice.textContent = refusal.message; });
  return {
    update: ([id]) => {
      wanted = id ?? null;
      view?.look(wanted);
    },
    close: () => {
      isClosed = true;
      view?.stage.close();
    },
  };
};

class Watch {
  constructor(place, { agents, refused }, { key, least, most }) {
    this.agents = agents;
    this.key = key;
    this.least = least;
    this.most = most;
    this.startedId = null;
    this.forms = [];
    this.agentsPlace = element("div", { class: "agents" });
    this.game = new GameForm({ hasBudget: true });
    this.rest = element("p", { class: "mistake", role: "alert", hidden: true });
    this.addButton = element("button", { type: "button", id: "add-agent", click: () => this.add() }, "Add an agent");
    const legend = element("legend", { class: "unseen" }, "Settings");
    this.fieldset = element("fieldset", {}, legend, this.rest, this.agentsPlace, this.addButton, this.game.element);
    this.stage = new Stage({
      start: (pace) => this.begin(pace),
      met: (show) => this.fill(show),
      // What is typed during a game would not change it.
      changed: (state) => { this.fieldset.disabled = state === "playing" || state === "paused"; },
    });
    const submit = element("button", { class: "unseen", tabindex: -1, "aria-hidden": "true" }, "Run");
    const form = element("form", { class: "settings", novalidate: true, submit: (event) => {
      event.preventDefault();
      this.stage.run();
    } }, submit, this.fieldset, refusedNote(refused));
    this.setAgents(recall(`${key}.agents`, this.usual()));
    form.addEventListener("change", () => this.keep());
    this.game.size.input.addEventListener("change", () => this.prepare());
    const panel = element("div", { class: "panel" }, this.stage.transport, this.stage.outcome, form);
    place.append(element("div", { class: `watch ${key}` }, this.stage.element, panel));
  }

  /** Looks on at a show; without one the boards are empty. */
  look(id) {
    this.stage.watch(id);
    this.prepare();
  }

  usual() {
    const names = this.agents.map(({ plugin }) => plugin);
    const first = [...FIRST.filter((name) => names.includes(name)), ...names];
    return [...new Set(first)].slice(0, this.least).map((plugin) => ({ plugin }));
  }

  setAgents(chosen) {
    const known = chosen.filter(({ plugin }) => this.agents.some((agent) => agent.plugin === plugin)).slice(0, this.most);
    while (known.length < this.least) known.push(this.usual()[known.length] ?? { plugin: this.agents[0].plugin });
    this.forms = known.map((agent, index) => {
      const isAlone = this.most === 1;
      const form = new AgentForm(index, this.agents, {
        label: isAlone ? "Agent" : `Agent ${index + 1}`,
        beside: known.length > this.least ? this.removeButton(index) : null,
        isFolded: !isAlone,
        changed: () => this.suit(),
      });
      form.fill(agent);
      return form;
    });
    this.agentsPlace.replaceChildren(...this.forms.map((form) => form.element));
    this.addButton.hidden = this.least === this.most || this.forms.length >= this.most;
    this.suit();
  }

  removeButton(index) {
    const remove = () => {
      this.setAgents(this.chosen().filter((_, place) => place !== index));
      this.keep();
      this.addButton.focus();
    };
    return element("button", { type: "button", title: "Remove", "aria-label": `Remove agent ${index + 1}`, click: remove }, "×");
  }

  add() {
    const taken = this.chosen();
    const free = this.agents.find(({ plugin }) => taken.every((agent) => agent.plugin !== plugin)) ?? this.agents[0];
    this.setAgents([...taken, { plugin: free.plugin }]);
    this.keep();
    this.forms.at(-1).select.focus();
  }

  /** Offers the boards that all chosen agents play, and the budgets that one of them heeds. */
  suit() {
    const infos = this.forms.map((form) => form.agent.info);
    const min = Math.max(...infos.map((info) => info.boards?.min ?? 2));
    const max = Math.min(...infos.map((info) => info.boards?.max ?? 8));
    this.game.allow({ min, max }, infos.flatMap((info) => info.honours ?? []));
    this.prepare();
  }

  prepare() {
    if (this.stage?.id === null) this.stage.prepare(this.forms.map((form) => form.select.value), Number(this.game.size.input.value));
  }

  chosen(mistakes = []) {
    return this.forms.map((form) => form.read(mistakes));
  }

  keep() {
    remember(`${this.key}.agents`, this.chosen());
    this.game.keep();
  }

  /** A show that was begun elsewhere, or before a reload, fills the form. */
  fill(show) {
    if (show.id === this.startedId) return;
    this.setAgents(show.lanes);
    this.game.fill(show);
    this.keep();
  }

  async begin(pace) {
    const mistakes = [];
    const body = { agents: this.chosen(mistakes), ...this.game.read(mistakes), ...pace };
    this.keep();
    try {
      if (mistakes.length > 0) throw { mistakes };
      const { id } = await post("/api/shows", body);
      this.showMistakes([]);
      this.startedId = id;
      location.hash = `${this.key}/${encodeURIComponent(id)}`;
      this.stage.watch(id);
      return id;
    } catch (refusal) {
      this.showMistakes(refusal.mistakes ?? [{ field: "", message: String(refusal) }]);
      return null;
    }
  }

  showMistakes(mistakes) {
    const fields = [...this.forms.flatMap((form) => form.fields), ...this.game.fields];
    showMistakes(fields, mistakes, this.rest);
  }
}

const refusedNote = (refused = []) => refused.length === 0 ? null : element(
  "details",
  {},
  element("summary", {}, `${refused.length} plugin${refused.length === 1 ? "" : "s"} cannot play`),
  element("ul", { class: "plain" }, refused.map(({ plugin, reason }) => element("li", {}, element("strong", {}, plugin), `: ${reason}`))),
);
