// Play and Compare: a form with one agent or several, and the live session beside it.
import { element } from "../dom/element.js";
import { recall, remember } from "../dom/storage.js";
import { AgentForm } from "../forms/agent_form.js";
import { showDiagnostics } from "../forms/field.js";
import { GameForm } from "../forms/game_form.js";
import { LiveSession } from "../games/live_session.js";
import { diagnosticsOf, get, messageOf, post } from "../net/api.js";
import { counted } from "../shared/number.js";
/** @import { InitialPace } from "../games/live_session.js" */
/** @import { AgentCatalog, AgentChoice, FieldDiagnostic, Session, SessionRequest } from "../net/server_json.js" */
/** @import { View } from "./view.js" */

// Offered first to a visitor who has not chosen an agent yet.
const SUGGESTED = ["mcts", "expectimax", "snake", "greedy"];

/**
 * The name of the view in the address, and how many agents can be chosen.
 * @typedef {{ key: string, min: number, max: number }} ViewOptions
 */

/**
 * @param {HTMLElement} area
 * @param {string[]} parameters the id of the session, if there is one
 * @param {ViewOptions & { introduction: string }} options
 * @returns {View}
 */
export const open = (area, [id], { key, min, max, introduction }) => {
  /** @type {LiveView | null} */
  let view = null;
  let wanted = id ?? null;
  let isClosed = false;
  const notice = element("p", { class: "message" }, "Looking for agents…");
  area.append(element("p", { class: "introduction" }, introduction), notice);
  const load = async () => {
    /** @type {AgentCatalog} */
    const catalog = await get("/api/agents");
    if (isClosed) return;
    if (catalog.agents.length === 0) {
      notice.textContent = "No agents found. Start the server with --plugins DIR, the folder of your plugins.";
      return;
    }
    notice.remove();
    view = new LiveView(area, catalog, { key, min, max: Math.min(max, catalog.limits.agents) });
    view.show(wanted);
  };
  load().catch((error) => { notice.textContent = messageOf(error); });
  return {
    update: ([next]) => {
      wanted = next ?? null;
      view?.show(wanted);
    },
    close: () => {
      isClosed = true;
      view?.session.close();
    },
  };
};

/**
 * Fills up a list of chosen agents with suggestions and drops unknown ones.
 * @param {AgentChoice[]} chosen
 * @param {string[]} plugins that were found, at least one
 * @param {{ min: number, max: number }} limits
 * @returns {AgentChoice[]}
 */
export const completeChoice = (chosen, plugins, { min, max }) => {
  const known = chosen.filter(({ plugin }) => plugins.includes(plugin)).slice(0, max);
  const suggestions = [...new Set([...SUGGESTED.filter((plugin) => plugins.includes(plugin)), ...plugins])];
  while (known.length < min) known.push({ plugin: suggestions[known.length] ?? suggestions[0] ?? "" });
  return known;
};

class LiveView {
  /** @type {AgentForm[]} */
  #forms = [];
  /** @type {string | null} the session that was started with this form */
  #startedId = null;
  /** @type {string | null} the session for which the form was folded */
  #foldedFor = null;

  /**
   * @param {HTMLElement} area
   * @param {AgentCatalog} catalog
   * @param {ViewOptions} options
   */
  constructor(area, { agents, rejected }, options) {
    this.agents = agents;
    this.options = options;
    this.agentsArea = element("div", { class: "agents" });
    this.game = new GameForm({ hasBudget: true });
    this.generalError = element("p", { class: "error", role: "alert", hidden: true });
    this.addButton = element("button", { type: "button", id: "add-agent", click: () => this.#add() }, "Add an agent");
    const legend = element("legend", { class: "visually-hidden" }, "Settings");
    this.fieldset = element("fieldset", {}, legend, this.generalError, this.agentsArea, this.addButton, this.game.element);
    this.session = new LiveSession({
      start: (pace) => this.#start(pace),
      onOpened: (session) => this.#fill(session),
      // Changes to the form would have no effect on a game in progress.
      onState: (state) => {
        const isActive = state === "playing" || state === "paused";
        this.fieldset.disabled = isActive;
        if (isActive) this.#fold();
      },
    });
    const submit = element("button", { class: "visually-hidden", tabindex: -1, "aria-hidden": "true" }, "Run");
    const form = element("form", { class: "settings", novalidate: true, submit: (event) => {
      event.preventDefault();
      this.session.run();
    } }, submit, this.fieldset, rejectedNote(rejected));
    /** @type {AgentChoice[]} */
    const remembered = recall(`${options.key}.agents`, []);
    this.#setAgents(remembered);
    form.addEventListener("change", () => this.#keep());
    form.addEventListener("input", () => { this.generalError.hidden = true; });
    this.game.size.input.addEventListener("change", () => this.#prepare());
    this.summary = element("summary", {}, "Settings");
    this.folded = element("details", { class: "settings-fold", open: true }, this.summary, form);
    const panel = element("div", { class: "panel" }, this.session.outcome, this.session.choice, this.session.ask.element, this.folded);
    area.append(element("div", { class: `layout ${options.key}` }, this.session.controls, this.session.element, panel));
  }

  /**
   * Shows a session; without one the boards are empty.
   * @param {string | null} id
   */
  show(id) {
    this.session.open(id);
    this.#prepare();
  }

  /** @param {AgentChoice[]} chosen */
  #setAgents(chosen) {
    const { min, max } = this.options;
    const choices = completeChoice(chosen, this.agents.map(({ plugin }) => plugin), this.options);
    this.#forms = choices.map((choice, index) => {
      const isAlone = max === 1;
      const form = new AgentForm(`agents.${index}`, this.agents, {
        label: isAlone ? "Agent" : `Agent ${index + 1}`,
        beside: choices.length > min ? this.#removeButton(index) : null,
        isFolded: !isAlone,
        onChange: () => this.#adapt(),
      });
      form.fill(choice);
      return form;
    });
    this.agentsArea.replaceChildren(...this.#forms.map((form) => form.element));
    this.addButton.hidden = min === max || this.#forms.length >= max;
    this.#adapt();
  }

  /** @param {number} index */
  #removeButton(index) {
    const remove = () => {
      this.#setAgents(this.#chosen().filter((_, place) => place !== index));
      this.#keep();
      this.addButton.focus();
    };
    return element("button", { type: "button", title: "Remove", "aria-label": `Remove agent ${index + 1}`, click: remove }, "×");
  }

  #add() {
    const chosen = this.#chosen();
    const unused = this.agents.find(({ plugin }) => chosen.every((agent) => agent.plugin !== plugin)) ?? this.agents[0];
    if (unused === undefined) return;
    this.#setAgents([...chosen, { plugin: unused.plugin }]);
    this.#keep();
    this.#forms.at(-1)?.select.focus();
  }

  /** Offers the boards that all chosen agents support, and the budgets that any of them supports. */
  #adapt() {
    const infos = this.#forms.map((form) => form.agent.info);
    const min = Math.max(...infos.map((info) => info.boards.min));
    const max = Math.min(...infos.map((info) => info.boards.max));
    this.game.allow({ min, max }, infos.flatMap((info) => info.honours));
    this.#prepare();
  }

  /** While a game is played, how the agent chose its move takes the place of the form. */
  #fold() {
    const settings = [...this.#forms.map((form) => form.inWords), this.game.inWords];
    this.summary.textContent = `Settings: ${settings.join(" · ")}`;
    // A form that was opened during the game stays open.
    if (this.#foldedFor === this.session.id) return;
    this.#foldedFor = this.session.id;
    this.folded.open = false;
  }

  #prepare() {
    if (this.session.id !== null) return;
    this.session.prepare(this.#forms.map((form) => form.select.value), Number(this.game.size.input.value));
  }

  /** @param {FieldDiagnostic[]} [diagnostics] */
  #chosen(diagnostics = []) {
    return this.#forms.map((form) => form.read(diagnostics));
  }

  #keep() {
    remember(`${this.options.key}.agents`, this.#chosen());
    this.game.keep();
  }

  /**
   * Fills the form with the settings of a session that was started elsewhere or before a reload.
   * @param {Session} session
   */
  #fill(session) {
    if (session.id === this.#startedId) return;
    this.#setAgents(session.games);
    this.game.fill(session);
    this.#keep();
  }

  /**
   * Starts a session; returns its id, or null if the settings are not valid.
   * @param {InitialPace} pace
   */
  async #start(pace) {
    /** @type {FieldDiagnostic[]} */
    const diagnostics = [];
    const agents = this.#chosen(diagnostics);
    const tiles = this.game.readTiles(diagnostics);
    /** @type {SessionRequest} */
    const request = { agents, ...tiles, budget: this.game.readBudget(), ...pace };
    this.#keep();
    try {
      // Fields that cannot be read are left out; the server checks the others only.
      const isIncomplete = diagnostics.length > 0;
      /** @type {{ id: string | null }} */
      const { id } = await post("/api/sessions", { ...request, seed: tiles.seed ?? 0, check_only: isIncomplete });
      if (id === null) {
        this.#showDiagnostics(diagnostics);
        return null;
      }
      this.#showDiagnostics([]);
      this.#startedId = id;
      location.hash = `${this.options.key}/${encodeURIComponent(id)}`;
      this.session.open(id);
      return id;
    } catch (error) {
      this.#showDiagnostics([...diagnostics, ...diagnosticsOf(error)]);
      return null;
    }
  }

  /** @param {FieldDiagnostic[]} diagnostics */
  #showDiagnostics(diagnostics) {
    if (diagnostics.length > 0) this.folded.open = true;
    const fields = [...this.#forms.flatMap((form) => form.fields), ...this.game.fields];
    showDiagnostics(fields, diagnostics, this.generalError);
  }
}

/** @param {AgentCatalog["rejected"]} rejected */
const rejectedNote = (rejected) => rejected.length === 0 ? null : element(
  "details",
  {},
  element("summary", {}, `${counted(rejected.length, "plugin")} rejected`),
  element("ul", { class: "plain" }, rejected.map(({ plugin, reason }) => element("li", {}, element("strong", {}, plugin), `: ${reason}`))),
);
