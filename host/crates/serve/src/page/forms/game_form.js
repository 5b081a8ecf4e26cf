// The settings of a game: board, seed, share of 4s, budget. All views remember the same seed,
// board and share, so that a person, an agent and a comparison get the same tiles.
import { element } from "../dom/element.js";
import { recall, remember } from "../dom/storage.js";
import { count } from "../shared/number.js";
import { budgetInWords } from "../text/budget_label.js";
import { BudgetFields, budgetLabel, numberIn } from "./budget_fields.js";
import { Field } from "./field.js";
/** @import { Budget, FieldDiagnostic, Session, TileSettings } from "../net/server_json.js" */

const USUAL = { seed: 1, size: 4, four_share: 0.1 };
const MAX_SEED = Number.MAX_SAFE_INTEGER;
/** @param {number | null} share */
const isShare = (share) => share !== null && share >= 0 && share <= 1;

/** The settings that were used last. */
export const rememberedGame = () => ({ ...USUAL, ...recall("game", {}) });

/**
 * The seed in a text; null if it is not valid. A larger number would be rounded by
 * JavaScript before the server could see it.
 * @param {string} text
 */
export const parseSeed = (text) => (/^\d+$/.test(text) && Number(text) <= MAX_SEED ? Number(text) : null);

export class GameForm {
  /** @type {BudgetFields | null} */
  #budget = null;

  /** @param {{ hasBudget: boolean }} options */
  constructor({ hasBudget }) {
    const kept = rememberedGame();
    const seed = element("input", { type: "number", inputmode: "numeric", min: 0, max: MAX_SEED, step: 1 });
    seed.value = String(kept.seed);
    const dice = element("button", {
      type: "button", class: "dice", title: "Random seed", "aria-label": "Random seed",
      click: () => {
        seed.value = String(1 + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 999_999);
        seed.dispatchEvent(new Event("input", { bubbles: true }));
        seed.dispatchEvent(new Event("change", { bubbles: true }));
      },
    }, "⚄");
    this.seed = new Field({ path: "seed", label: "Seed", input: seed, beside: dice });
    this.size = new Field({ path: "size", label: "Board", input: element("select") });
    const share = element("input", { type: "number", inputmode: "decimal", min: 0, max: 1, step: "any" });
    share.value = String(kept.four_share);
    this.share = new Field({ path: "four_share", label: "Share of 4s", input: share });
    /** @type {Field[]} */
    this.fields = [this.size, this.seed, this.share];
    if (hasBudget) {
      this.#budget = new BudgetFields("budget");
      this.fields.push(...this.#budget.fields);
    }
    this.element = element("div", { class: "game-form" }, this.fields.map((field) => field.element));
    this.element.addEventListener("change", () => this.keep());
    this.allow({ min: 2, max: 8 }, ["time", "nodes"]);
  }

  /**
   * Offers the boards and budgets that the agents support.
   * @param {{ min: number, max: number }} sides
   * @param {string[]} budgets
   */
  allow({ min, max }, budgets) {
    const before = Number(this.size.input.value || rememberedGame().size);
    const sizes = [];
    for (let side = min; side <= max; side++) sizes.push(element("option", { value: side }, `${side} × ${side}`));
    this.size.input.replaceChildren(...sizes);
    this.size.input.value = String(Math.min(max, Math.max(min, before)));
    this.#budget?.allow(budgets);
  }

  /** @param {Session} session */
  fill({ seed, size, four_share: share, budget }) {
    this.seed.input.value = String(seed);
    this.size.input.value = String(size);
    this.share.input.value = String(share);
    this.#budget?.fill(budget);
    this.keep();
  }

  /**
   * The settings of the tiles; what is invalid is added to `diagnostics`.
   * @param {FieldDiagnostic[]} diagnostics
   * @returns {TileSettings}
   */
  readTiles(diagnostics) {
    const seed = parseSeed(this.seed.input.value);
    if (seed === null) diagnostics.push({ field: this.seed.path, message: `a seed is a whole number from 0 to ${count(MAX_SEED)}` });
    const share = numberIn(this.share);
    if (!isShare(share)) diagnostics.push({ field: this.share.path, message: "a share is a number from 0 to 1, such as 0.1" });
    return { seed, size: numberIn(this.size), four_share: share };
  }

  /** `4 × 4 · seed 1`, with the budget if there is one. */
  get inWords() {
    const budget = budgetLabel(this.readBudget());
    const board = `${this.size.input.value} × ${this.size.input.value} · seed ${this.seed.input.value}`;
    return budget === null ? board : `${board} · ${budgetInWords(budget)}`;
  }

  /** @returns {Budget | null} */
  readBudget() {
    return this.#budget?.read() ?? null;
  }

  keep() {
    const { seed, size, four_share: share } = this.readTiles([]);
    const kept = rememberedGame();
    remember("game", { seed: seed ?? kept.seed, size, four_share: isShare(share) ? share : kept.four_share });
    this.#budget?.keep();
  }
}
