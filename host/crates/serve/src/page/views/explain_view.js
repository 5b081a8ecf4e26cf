// Explain: how agents choose their move on a board of any kind, each with its search tree.
import { announce } from "../dom/announcements.js";
import { element } from "../dom/element.js";
import { recall, remember } from "../dom/storage.js";
import { ExplanationPanel } from "../explain/explanation_panel.js";
import { PositionForm } from "../explain/position_form.js";
import { explainAddress, notationOf, parsePosition } from "../explain/position.js";
import { AskForm } from "../forms/ask_form.js";
import { MoveEvaluationPanel } from "../games/move_evaluation.js";
import { diagnosticsOf, get, messageOf, request } from "../net/api.js";
import { onReconnected } from "../net/connection.js";
import { NONE } from "../shared/number.js";
import { LETTERS } from "../text/directions.js";
import { parametersInWords } from "../text/parameters.js";
import { boundText, moveWithArrow } from "../text/search_words.js";
/** @import { AgentCatalog, AskedChoice, BoardAnswers, CatalogAgent, Cells, Explanation, FieldDiagnostic } from "../net/server_json.js" */
/** @import { View } from "./view.js" */

const INTRODUCTION = "Any board, and how up to four agents choose their move on it: the tree that each searches, step by step.";
const EXPLAIN = "explain/1";
// Below this share of the window, results are not seen.
const HIDDEN_FROM = 0.6;
const SUGGESTED = ["minimax", "expectimax", "snake", "mcts"];
/** @type {Cells} */
const FIRST_BOARD = [8, 7, 5, 3, 4, 6, 4, 2, 2, 3, 1, 1, 1, 2, 3, 0];

/**
 * @param {HTMLElement} area
 * @param {string[]} parameters the rows of the board and settings
 * @returns {View}
 */
export const open = (area, parameters) => {
  const view = new ExplainView(area);
  void view.update(parameters);
  return { update: (next) => void view.update(next), close: () => view.close() };
};

class ExplainView {
  /** @type {AskForm | null} */
  #form = null;
  /** @type {CatalogAgent[]} */
  #agents = [];
  /** @type {AbortController | null} */
  #asking = null;
  /** @type {ExplanationPanel[]} */
  #panels = [];
  #ready;
  /** the address that this view has written itself */
  #address = "";

  /** @param {HTMLElement} area */
  constructor(area) {
    this.position = new PositionForm(recall("explain.board", FIRST_BOARD), () => this.#onPosition());
    this.formArea = element("div");
    this.button = element("button", { class: "primary", id: "explain" }, "Explain");
    const form = element("form", { class: "settings explain-form", novalidate: true, submit: (event) => {
      event.preventDefault();
      void this.#explain();
    } }, this.formArea, this.position.rules, element("div", { class: "buttons" }, this.button));
    this.results = element("div", { class: "explained" });
    area.append(
      element("p", { class: "introduction" }, INTRODUCTION),
      element("div", { class: "explain" },
        element("div", { class: "explain-question" }, this.position.element, form),
        this.results),
    );
    this.#ready = this.#load().catch((error) => { this.formArea.textContent = messageOf(error); });
    this.stopListening = onReconnected(() => this.#form?.showDiagnostics([]));
  }

  async #load() {
    /** @type {AgentCatalog} */
    const { agents, limits } = await get("/api/agents");
    this.#agents = agents;
    this.#form = new AskForm(agents, limits.agents, () => {}, { key: "explained.agents", suggested: SUGGESTED });
    this.#form.setSize(this.position.size);
    this.formArea.replaceChildren(this.#form.element);
    this.button.after(this.#form.addButton);
  }

  #onPosition() {
    this.#form?.setSize(this.position.size);
    remember("explain.board", this.position.cells);
    this.#writeAddress({});
  }

  /** @param {Record<string, string>} more */
  #writeAddress(more) {
    this.#address = explainAddress(this.position.cells, { ...this.position.settings, ...more });
    history.replaceState(null, "", this.#address);
  }

  /**
   * Shows the position of an address; with one, the agents are asked at once.
   * @param {string[]} parts
   */
  async update(parts) {
    if (location.hash === this.#address) return;
    const { board, settings } = parsePosition(parts);
    await this.#ready;
    const { agents, ...rules } = settings;
    this.position.setRules(rules);
    if (agents !== undefined) this.#form?.fill(parseAgents(agents));
    if (board === null || !(await this.position.editor.read(board))) return;
    await this.#explain();
  }

  async #explain() {
    this.#end();
    const control = new AbortController();
    this.#asking = control;
    /** @type {FieldDiagnostic[]} */
    const diagnostics = [];
    const agents = this.#form?.read(diagnostics) ?? [];
    this.#showDiagnostics(diagnostics);
    if (diagnostics.length > 0 || agents.length === 0) return;
    this.#writeAddress({ agents: JSON.stringify(agents.map(withoutDefaults)) });
    const areas = agents.map(({ plugin, params = {} }) => element("section", { class: "explained-agent", "aria-label": plugin, "data-state": "asking" },
      element("h2", {}, plugin, " ", element("b", { class: "chosen-move" }), element("small", {}, parametersInWords(params)))));
    this.results.dataset["agents"] = String(agents.length);
    this.results.replaceChildren(...areas);
    if (this.results.getBoundingClientRect().top > HIDDEN_FROM * innerHeight) this.results.scrollIntoView({ block: "start" });
    const position = { board: notationOf(this.position.cells), ...this.position.settings };
    await Promise.all([
      this.#ask(agents, position, areas, control.signal),
      ...agents.map((agent, index) => this.#explainBy(agent, index, position, areas[index] ?? element("section"), control.signal)),
    ]);
    if (!control.signal.aborted) announce("The explanation is complete.");
  }

  /**
   * The move that each agent plays, with its values of all four.
   * @param {AskedChoice[]} agents
   * @param {Record<string, string>} position
   * @param {HTMLElement[]} areas
   * @param {AbortSignal} signal
   */
  async #ask(agents, position, areas, signal) {
    const query = new URLSearchParams({ ...position, agents: JSON.stringify(agents) });
    // Agents play as deep as they are; only a tree may be smaller.
    query.delete("depth");
    try {
      /** @type {BoardAnswers} */
      const { agents: answers } = await (await request(`/api/ask?${query}`, { signal })).json();
      answers.forEach((answer, index) => {
        const heading = areas[index]?.querySelector("h2");
        heading?.after(answerOf(answer));
        const chosen = heading?.querySelector(".chosen-move");
        if (chosen && "choice" in answer) chosen.textContent = moveWithArrow(answer.choice);
      });
    } catch (error) {
      if (!signal.aborted) this.#showDiagnostics(diagnosticsOf(error));
    }
  }

  /**
   * The tree of one agent.
   * @param {AskedChoice} agent
   * @param {number} index
   * @param {Record<string, string>} position
   * @param {HTMLElement} area
   * @param {AbortSignal} signal
   */
  async #explainBy(agent, index, position, area, signal) {
    const known = this.#agents.find(({ plugin }) => plugin === agent.plugin);
    const note = element("p", { class: "meta" }, "Searching…");
    area.append(note);
    if (!known?.info.extensions.includes(EXPLAIN)) {
      note.textContent = `${agent.plugin} does not show how it searches.`;
      area.dataset["state"] = "without";
      return;
    }
    const query = { ...position, agent: JSON.stringify(agent) };
    try {
      /** @type {Explanation} */
      const explanation = await (await request(`/api/explain?${new URLSearchParams(query)}`, { signal })).json();
      const panel = new ExplanationPanel(explanation, {
        settings: this.position.settings,
        pictureAddress: (format) => `/api/explain?${new URLSearchParams({ ...query, format })}`,
        name: agent.plugin,
      });
      this.#panels.push(panel);
      note.replaceWith(panel.element);
      area.dataset["state"] = "explained";
    } catch (error) {
      if (signal.aborted) return;
      const found = diagnosticsOf(error).map(({ field, message }) => ({ field: field.replace(/^agent\b/, `agents.${index}`), message }));
      note.textContent = found.map(({ message }) => message).join("; ");
      area.dataset["state"] = "failed";
      // What an agent says for itself stays with it; a mistake in the form is said there.
      this.#showDiagnostics(found.filter(({ field }) => field !== `agents.${index}`));
    }
  }

  /** @param {FieldDiagnostic[]} diagnostics */
  #showDiagnostics(diagnostics) {
    const rest = diagnostics.filter((one) => !this.position.setError(one));
    this.#form?.showDiagnostics(rest);
  }

  #end() {
    this.#asking?.abort();
    for (const panel of this.#panels) panel.close();
    this.#panels = [];
  }

  close() {
    this.stopListening();
    this.#end();
  }
}

/** @param {BoardAnswers["agents"][number]} answer */
const answerOf = (answer) => {
  if ("error" in answer) return element("p", { class: "error" }, answer.error);
  const { choice, moves, numbers } = answer;
  // The values themselves, as the tree below has them.
  const panel = new MoveEvaluationPanel((values) => values.map((value) => (value === null ? NONE : boundText(value))));
  const values = moves.map(({ value }) => value);
  const states = moves.map(({ state }) => state);
  panel.set({ ...answer, values, states, numbers: Object.entries(numbers) }, LETTERS[choice]);
  return element("div", { class: "asked-values" }, panel.element);
};

/**
 * @param {string} text of an address
 * @returns {AskedChoice[]}
 */
const parseAgents = (text) => {
  try {
    const agents = JSON.parse(text);
    return Array.isArray(agents) ? agents.filter((agent) => typeof agent?.plugin === "string") : [];
  } catch {
    // A name is shorter to type.
    return text.split(",").map((plugin) => ({ plugin, budget: null }));
  }
};

/**
 * An agent as short as possible, for an address.
 * @param {AskedChoice} agent
 */
const withoutDefaults = ({ plugin, params = {}, budget }) => ({
  plugin, ...(Object.keys(params).length > 0 ? { params } : {}), ...(budget === null ? {} : { budget }),
});
