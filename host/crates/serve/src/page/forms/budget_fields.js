// The budget of an agent: its kind, and its amount.
import { element } from "../dom/element.js";
import { recall, remember } from "../dom/storage.js";
import { Field } from "./field.js";
/** @import { Budget } from "../net/server_json.js" */
/** @import { Input } from "./field.js" */

const USUAL_BUDGET = { kind: "none", per_move: "1ms", nodes: "1000" };

/**
 * The budget that a label such as `1000 nodes` or `2ms cpu` stands for, as form values.
 * @param {string | null} label
 */
export const budgetFromLabel = (label) => {
  if (label === null) return { kind: "none" };
  const nodes = /^(\d+) nodes$/.exec(label)?.[1];
  return nodes === undefined ? { kind: "time", perMove: label.split(" ")[0] ?? "" } : { kind: "nodes", nodes };
};

/**
 * The label of a budget.
 * @param {Budget | null} budget
 */
export const budgetLabel = (budget) => {
  if (budget === null) return null;
  return "nodes" in budget ? `${budget.nodes} nodes` : budget.per_move;
};

/** @param {Field<Input>} field */
export const numberIn = (field) => (field.input.value === "" ? null : Number(field.input.value));

/** The kind of budget, and its amount. */
export class BudgetFields {
  /** @param {string} path the name of the field in requests; also where the choice is remembered */
  constructor(path) {
    this.path = path;
    const kept = { ...USUAL_BUDGET, ...recall(path, {}) };
    this.timeOption = element("option", { value: "time" }, "CPU time per move");
    this.nodesOption = element("option", { value: "nodes" }, "nodes per move");
    const options = [element("option", { value: "none" }, "none"), this.timeOption, this.nodesOption];
    this.kind = new Field({ path, label: "Budget", input: element("select", {}, options) });
    this.kind.input.value = kept.kind;
    const perMove = element("input", { type: "text", autocomplete: "off", autocapitalize: "none" });
    perMove.value = kept.per_move;
    const nodes = element("input", { type: "number", inputmode: "numeric", min: 1, step: 1 });
    nodes.value = kept.nodes;
    this.perMove = new Field({ path: `${path}.per_move`, label: "CPU time per move", input: perMove, help: "For example 500us, 2ms or 0.1s." });
    this.nodes = new Field({ path: `${path}.nodes`, label: "Nodes per move", input: nodes });
    /** @type {Field[]} */
    this.fields = [this.kind, this.perMove, this.nodes];
    this.kind.input.addEventListener("change", () => this.#showAmount());
  }

  #showAmount() {
    this.perMove.element.hidden = this.kind.input.value !== "time";
    this.nodes.element.hidden = this.kind.input.value !== "nodes";
  }

  /** @param {string[]} supported */
  allow(supported) {
    this.timeOption.disabled = !supported.includes("time");
    this.nodesOption.disabled = !supported.includes("nodes");
    if (this.kind.input.selectedOptions[0]?.disabled) this.kind.input.value = "none";
    this.kind.setHelp(supported.length === 0 ? "This agent does not use a budget." : "");
    this.#showAmount();
  }

  /** @param {string | null} label */
  fill(label) {
    const { kind, perMove, nodes } = budgetFromLabel(label);
    this.kind.input.value = kind;
    if (perMove !== undefined) this.perMove.input.value = perMove;
    if (nodes !== undefined) this.nodes.input.value = nodes;
    this.#showAmount();
  }

  /** @returns {Budget | null} */
  read() {
    if (this.kind.input.value === "time") return { per_move: this.perMove.input.value.trim() };
    return this.kind.input.value === "nodes" ? { nodes: numberIn(this.nodes) } : null;
  }

  keep() {
    remember(this.path, { kind: this.kind.input.value, per_move: this.perMove.input.value, nodes: this.nodes.input.value });
  }
}
