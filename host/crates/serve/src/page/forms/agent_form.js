// Selects an agent and its parameters.
import { element } from "../dom/element.js";
import { messageOf } from "../net/api.js";
import { parametersInWords } from "../text/parameters.js";
import { Field } from "./field.js";
import { ParameterField, UNSET } from "./parameter_field.js";
import { firstParagraph } from "./parameter_schema.js";
/** @import { AgentChoice, CatalogAgent, FieldDiagnostic, Params } from "../net/server_json.js" */

export class AgentForm {
  /** @type {ParameterField[]} */
  #parameters = [];
  /** @type {Map<string, Params>} parameters that were typed, by plugin, while another agent is selected */
  #kept = new Map();

  /**
   * @param {string} path the name of the agent in requests, such as `agents.0`
   * @param {CatalogAgent[]} agents not empty
   * @param {object} options
   * @param {string} options.label
   * @param {HTMLElement | null} options.beside a button next to the selection
   * @param {boolean} options.isFolded whether the parameters are folded at first
   * @param {() => void} options.onChange called when another agent is selected
   */
  constructor(path, agents, { label, beside, isFolded, onChange }) {
    this.path = path;
    this.agents = agents;
    const options = agents.map(({ plugin }) => element("option", { value: plugin }, plugin));
    this.select = element("select", {}, options);
    this.choice = new Field({ path: `${path}.plugin`, label, input: this.select, beside });
    this.parametersArea = element("div", { class: "parameters" });
    this.summary = element("summary");
    this.details = element("details", { open: !isFolded }, this.summary, this.parametersArea);
    this.element = element("div", { class: "agent-form" }, this.choice.element, this.details);
    this.select.addEventListener("change", () => {
      this.#showParameters(this.#kept.get(this.select.value) ?? {});
      onChange();
    });
    this.parametersArea.addEventListener("change", () => {
      this.#kept.set(this.select.value, this.#validParameters());
      this.#summarise();
    });
  }

  /** The selected agent. */
  get agent() {
    const selected = this.agents.find(({ plugin }) => plugin === this.select.value);
    if (selected === undefined) throw new Error(`unknown agent ${this.select.value}`);
    return selected;
  }

  /** @returns {Field[]} */
  get fields() {
    return [this.choice, ...this.#parameters];
  }

  /** @param {AgentChoice} choice */
  fill({ plugin, params = {} }) {
    if (this.agents.some((agent) => agent.plugin === plugin)) this.select.value = plugin;
    this.#showParameters(params);
  }

  /** @param {Params} values */
  #showParameters(values) {
    const { info } = this.agent;
    this.choice.setHelp(firstParagraph(info.description));
    const schema = info.params ?? {};
    this.#parameters = Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const path = `${this.path}.params.${name}`;
      // A plugin writes its schema itself; `true` is a schema as well.
      const parameter = new ParameterField(path, name, Object(property), schema);
      if (Object.hasOwn(values, name)) parameter.fill(values[name]);
      return parameter;
    });
    this.parametersArea.replaceChildren(...this.#parameters.map((parameter) => parameter.element));
    this.details.hidden = this.#parameters.length === 0;
    this.#summarise();
  }

  /** The agent, and what differs from its defaults. */
  get inWords() {
    const text = parametersInWords(this.#validParameters());
    return text === "" ? this.select.value : `${this.select.value} (${text})`;
  }

  /** Shows what differs from the defaults, also while the parameters are folded. */
  #summarise() {
    const text = parametersInWords(this.#validParameters());
    this.summary.textContent = text === "" ? "Parameters" : `Parameters: ${text}`;
  }

  /**
   * The selected agent with its parameters; inputs that cannot be read are added to
   * `diagnostics`.
   * @param {FieldDiagnostic[]} diagnostics
   */
  read(diagnostics) {
    /** @type {Params} */
    const params = {};
    for (const parameter of this.#parameters) {
      try {
        const value = parameter.read();
        if (value !== UNSET) params[parameter.name] = value;
      } catch (error) {
        diagnostics.push({ field: parameter.path, message: messageOf(error) });
      }
    }
    return { plugin: this.select.value, params };
  }

  #validParameters() {
    return this.read([]).params;
  }
}
