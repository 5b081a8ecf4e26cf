// The game that is played: board, seed, share of 4s, budget. Seed, size and share are
// kept for all views, so that a person, an agent and a comparison meet the same tiles.
import { element, whole } from "./element.js";
import { Field } from "./field.js";
import { recall, remember } from "./memory.js";

const USUAL = { seed: 1, size: 4, four_share: 0.1 };
const LARGEST_SEED = 2 ** 53 - 1;
const NO_BUDGET = { kind: "none", per_move: "1ms", nodes: 1000 };

export const rememberedGame = () => ({ ...USUAL, ...recall("game", {}) });

export class GameForm {
  constructor({ hasBudget }) {
    const kept = rememberedGame();
    const seed = element("input", { type: "number", inputmode: "numeric", min: 0, max: LARGEST_SEED, step: 1 });
    seed.value = kept.seed;
    const dice = element("button", {
      type: "button", class: "dice", title: "Another seed", "aria-label": "Another seed",
      click: () => {
        seed.value = 1 + crypto.getRandomValues(new Uint32Array(1))[0] % 999_999;
        this.keep();
      },
    }, "⚄");
    this.seed = new Field({ path: "seed", label: "Seed", input: seed, beside: dice });
    this.size = new Field({ path: "size", label: "Board", input: element("select") });
    const share = element("input", { type: "number", inputmode: "decimal", min: 0, max: 1, step: "any" });
    share.value = kept.four_share;
    this.share = new Field({ path: "four_share", label: "Share of 4s", input: share });
    this.fields = [this.size, this.seed, this.share];
    if (hasBudget) this.addBudget();
    this.element = element("div", { class: "game-form" }, this.fields.map((field) => field.element));
    this.element.addEventListener("change", () => this.keep());
    this.allow({ min: 2, max: 8 }, ["time", "nodes"]);
  }

  addBudget() {
    const kept = { ...NO_BUDGET, ...recall("budget", {}) };
    this.kinds = {
      none: element("option", { value: "none" }, "none"),
      time: element("option", { value: "time" }, "CPU time a move"),
      nodes: element("option", { value: "nodes" }, "nodes a move"),
    };
    this.kind = new Field({ path: "budget", label: "Budget", input: element("select", {}, Object.values(this.kinds)) });
    this.kind.input.value = kept.kind;
    const perMove = element("input", { type: "text", autocomplete: "off", autocapitalize: "none" });
    perMove.value = kept.per_move;
    const nodes = element("input", { type: "number", inputmode: "numeric", min: 1, step: 1 });
    nodes.value = kept.nodes;
    this.perMove = new Field({ path: "budget.per_move", label: "CPU time a move", input: perMove, help: "Such as 500us, 2ms or 0.1s." });
    this.nodes = new Field({ path: "budget.nodes", label: "Nodes a move", input: nodes });
    this.fields.push(this.kind, this.perMove, this.nodes);
    this.kind.input.addEventListener("change", () => this.showBudget());
  }

  showBudget() {
    if (!this.kind) return;
    this.perMove.element.hidden = this.kind.input.value !== "time";
    this.nodes.element.hidden = this.kind.input.value !== "nodes";
  }

  /** Offers what the agents can play. */
  allow({ min, max }, honours) {
    const before = Number(this.size.input.value || rememberedGame().size);
    const sizes = [];
    for (let side = min; side <= max; side++) sizes.push(element("option", { value: side }, `${side} × ${side}`));
    this.size.input.replaceChildren(...sizes);
    this.size.input.value = Math.min(max, Math.max(min, before));
    if (!this.kind) return;
    this.kinds.time.disabled = !honours.includes("time");
    this.kinds.nodes.disabled = !honours.includes("nodes");
    if (this.kind.input.selectedOptions[0]?.disabled) this.kind.input.value = "none";
    this.kind.setHelp(honours.length === 0 ? "It plays the same under every budget." : "");
    this.showBudget();
  }

  fill({ seed, size, four_share: share, budget }) {
    this.seed.input.value = seed;
    this.size.input.value = size;
    this.share.input.value = share;
    const nodes = /^(\d+) nodes$/.exec(budget ?? "");
    if (this.kind) {
      this.kind.input.value = nodes ? "nodes" : budget ? "time" : "none";
      if (nodes) this.nodes.input.value = nodes[1];
      else if (budget) this.perMove.input.value = budget.split(" ")[0];
      this.showBudget();
    }
    this.keep();
  }

  /** What is filled in; mistakes that are seen here are added to the list. */
  read(mistakes) {
    const number = (field) => (field.input.value === "" ? null : Number(field.input.value));
    const game = { seed: this.readSeed(mistakes), size: number(this.size), four_share: number(this.share) };
    if (!this.kind) return game;
    const budgets = {
      none: null,
      time: { per_move: this.perMove.input.value.trim() },
      nodes: { nodes: number(this.nodes) },
    };
    return { ...game, budget: budgets[this.kind.input.value] };
  }

  /** A larger number would be rounded before the server could see it. */
  readSeed(mistakes) {
    const text = this.seed.input.value;
    if (/^\d+$/.test(text) && Number(text) <= LARGEST_SEED) return Number(text);
    mistakes.push({ field: this.seed.path, message: `a seed is a whole number from 0 to ${whole(LARGEST_SEED)}` });
    return null;
  }

  keep() {
    const { seed, size, four_share: share } = this.read([]);
    remember("game", { seed: seed ?? rememberedGame().seed, size, four_share: share });
    if (this.kind) remember("budget", { kind: this.kind.input.value, per_move: this.perMove.input.value, nodes: this.nodes.input.value });
  }
}
