// Which agents are asked, each with its parameters and its budget.
import { element } from "../dom/element.js";
import { recall, remember } from "../dom/storage.js";
import { AgentForm } from "./agent_form.js";
import { BudgetFields, budgetLabel } from "./budget_fields.js";
import { showDiagnostics } from "./field.js";
/** @import { AgentChoice, AskedChoice, CatalogAgent, FieldDiagnostic } from "../net/server_json.js" */
/** @import { Field } from "./field.js" */

const KEY = "asked.agents";
// The strongest come first: their opinion is worth most.
const SUGGESTED = ["ntuple", "expectimax", "mcts"];

export class AskForm {
  /** @type {{ agent: AgentForm, budget: BudgetFields }[]} */
  #rows = [];
  /** @type {CatalogAgent[]} */
  #agents = [];

  /**
   * @param {CatalogAgent[]} agents
   * @param {number} max how many can be asked at once
   * @param {() => void} onChange called when something else would be asked
   * @param {{ key: string, suggested: string[] }} [offer] where the choice is remembered, and who comes first
   */
  constructor(agents, max, onChange, offer = { key: KEY, suggested: SUGGESTED }) {
    this.offer = offer;
    this.all = agents;
    this.max = max;
    this.onChange = onChange;
    this.rows = element("div", { class: "asked-agents" });
    this.addButton = element("button", { type: "button", id: "ask-another", click: () => this.#add() }, "Ask another agent");
    this.error = element("p", { class: "error", role: "alert", hidden: true });
    this.element = element("div", { class: "ask-form" }, this.error, this.rows);
    this.rows.addEventListener("change", () => this.#keep());
  }

  /**
   * Offers the agents that support the board.
   * @param {number} size
   */
  setSize(size) {
    const agents = this.all.filter(({ info: { boards } }) => boards.min <= size && size <= boards.max);
    if (agents.length === this.#agents.length && this.#rows.length > 0) return;
    this.#agents = agents;
    /** @type {AgentChoice[]} */
    const kept = recall(this.offer.key, []);
    const known = kept.filter(({ plugin }) => agents.some((agent) => agent.plugin === plugin));
    this.#setRows(known.length > 0 ? known : this.#suggested([]));
  }

  /**
   * Chooses these agents, as far as they are there.
   * @param {AskedChoice[]} choices
   */
  fill(choices) {
    const known = choices.filter(({ plugin }) => this.#agents.some((agent) => agent.plugin === plugin));
    if (known.length === 0) return;
    this.#setRows(known);
    this.#rows.forEach(({ budget }, index) => budget.fill(budgetLabel(known[index]?.budget ?? null)));
    this.#keep();
  }

  /** @param {AgentChoice[]} chosen */
  #suggested(chosen) {
    const names = [...this.offer.suggested, ...this.#agents.map(({ plugin }) => plugin)];
    const free = names.find((name) => this.#agents.some(({ plugin }) => plugin === name) && chosen.every(({ plugin }) => plugin !== name));
    const plugin = free ?? this.#agents[0]?.plugin;
    return plugin === undefined ? [] : [{ plugin }];
  }

  /** @param {AgentChoice[]} choices */
  #setRows(choices) {
    this.#rows = choices.slice(0, this.max).map((choice, index) => {
      // A form of agents that play may be on the same page.
      const path = `asked.${index}`;
      const budget = new BudgetFields(`${path}.budget`);
      const adapt = () => budget.allow(agent.agent.info.honours);
      const agent = new AgentForm(path, this.#agents, {
        label: choices.length === 1 ? "Agent" : `Agent ${index + 1}`,
        beside: choices.length > 1 ? this.#removeButton(index) : null,
        isFolded: true,
        onChange: adapt,
      });
      agent.fill(choice);
      adapt();
      return { agent, budget };
    });
    this.rows.replaceChildren(...this.#rows.map(({ agent, budget }) => element(
      "div",
      { class: "asked" },
      agent.element,
      element("div", { class: "budget" }, budget.fields.map((field) => field.element)),
    )));
    this.addButton.hidden = this.#rows.length >= this.max || this.#agents.length === 0;
  }

  /** @param {number} index */
  #removeButton(index) {
    const remove = () => {
      this.#setRows(this.#choices().filter((_, place) => place !== index));
      this.#keep();
      this.addButton.focus();
    };
    return element("button", { type: "button", title: "Remove", "aria-label": `Remove agent ${index + 1}`, click: remove }, "×");
  }

  #add() {
    const chosen = this.#choices();
    this.#setRows([...chosen, ...this.#suggested(chosen)]);
    this.#keep();
    this.#rows.at(-1)?.agent.select.focus();
  }

  #choices() {
    return this.#rows.map(({ agent }) => agent.read([]));
  }

  #keep() {
    remember(this.offer.key, this.#choices());
    for (const { budget } of this.#rows) budget.keep();
    this.onChange();
  }

  /**
   * The agents with their budgets; inputs that cannot be read are added to `diagnostics`.
   * @param {FieldDiagnostic[]} diagnostics
   */
  read(diagnostics) {
    return this.#rows.map(({ agent, budget }) => ({ ...agent.read(diagnostics), budget: budget.read() }));
  }

  /** @param {FieldDiagnostic[]} diagnostics */
  showDiagnostics(diagnostics) {
    /** @type {Field[]} */
    const fields = this.#rows.flatMap(({ agent, budget }) => [...agent.fields, ...budget.fields]);
    const own = diagnostics.map(({ field, message }) => ({ field: field.replace(/^agents\./, "asked."), message }));
    showDiagnostics(fields, own, this.error);
  }
}
