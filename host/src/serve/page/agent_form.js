// Chooses an agent and its parameters.
import { element } from "./element.js";
import { Field } from "./field.js";
import { parametersInWords } from "./lane.js";
import { UNSET, makeParameter, plain } from "./parameter.js";

export class AgentForm {
  /** `changed` is called when another agent is chosen; `beside` stands next to the choice. */
  constructor(index, agents, { label, beside, isFolded, changed }) {
    this.index = index;
    this.agents = agents;
    const options = agents.map(({ plugin }) => element("option", { value: plugin }, plugin));
    this.select = element("select", {}, options);
    this.choice = new Field({ path: `agents.${index}.plugin`, label, input: this.select, beside });
    this.parameters = [];
    this.place = element("div", { class: "parameters" });
    this.summary = element("summary");
    this.fold = element("details", { open: !isFolded }, this.summary, this.place);
    this.element = element("div", { class: "agent-form" }, this.choice.element, this.fold);
    // Parameters that were typed survive a look at another agent.
    this.kept = new Map();
    this.select.addEventListener("change", () => {
      this.showParameters(this.kept.get(this.select.value) ?? {});
      changed();
    });
    this.place.addEventListener("change", () => {
      this.kept.set(this.select.value, this.readable());
      this.summarise();
    });
  }

  get agent() {
    return this.agents.find(({ plugin }) => plugin === this.select.value);
  }

  get fields() {
    return [this.choice, ...this.parameters];
  }

  fill({ plugin, params = {} }) {
    if (this.agents.some((agent) => agent.plugin === plugin)) this.select.value = plugin;
    this.showParameters(params);
  }

  showParameters(values) {
    const { info } = this.agent;
    this.choice.setHelp(plain(info.description ?? ""));
    const schema = info.params ?? {};
    this.parameters = Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const path = `agents.${this.index}.params.${name}`;
      const parameter = makeParameter(path, name, Object(property), schema);
      if (Object.hasOwn(values, name)) parameter.fill(values[name]);
      return parameter;
    });
    this.place.replaceChildren(...this.parameters.map((parameter) => parameter.element));
    this.fold.hidden = this.parameters.length === 0;
    this.summarise();
  }

  /** A folded form still says what differs from the defaults. */
  summarise() {
    const set = parametersInWords(this.readable());
    this.summary.textContent = set === "" ? "Parameters" : `Parameters: ${set}`;
  }

  /** What is filled in; mistakes that are seen here are added to the list. */
  read(mistakes) {
    const values = [];
    for (const parameter of this.parameters) {
      try {
        const value = parameter.read();
        if (value !== UNSET) values.push([parameter.name, value]);
      } catch (message) {
        mistakes.push({ field: parameter.path, message: String(message) });
      }
    }
    return { plugin: this.select.value, params: Object.fromEntries(values) };
  }

  readable() {
    return this.read([]).params;
  }
}
