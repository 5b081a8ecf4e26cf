// The figures of a game: score, move, highest tile.
import { element } from "../dom/element.js";
import { NONE, count } from "../shared/number.js";

/** @template {string} Name */
export class GameStats {
  /** @param {Name[]} names */
  constructor(names) {
    this.values = new Map(names.map((name) => [name, element("dd", { "data-stat": name }, NONE)]));
    const rows = [...this.values].map(([name, value]) => element("div", {}, element("dt", {}, name), value));
    this.element = element("dl", { class: "stats" }, rows);
  }

  /**
   * Numbers are shown with separators; `data-value` contains them without.
   * @param {Partial<Record<Name, number | string>>} figures
   * @param {Partial<Record<Name, string>>} [notes] small text after a figure
   */
  set(figures, notes = {}) {
    for (const [name, value] of this.values) {
      const figure = figures[name];
      if (figure === undefined) continue;
      value.replaceChildren(typeof figure === "number" ? count(figure) : figure);
      value.dataset.value = String(figure);
      const note = notes[name];
      if (note !== undefined) value.append(element("small", {}, ` ${note}`));
    }
  }

  /**
   * Shows for a moment by how much a figure has grown.
   * @param {Name} name
   * @param {number} amount
   */
  grow(name, amount) {
    const gain = element("span", { class: "gain", "aria-hidden": "true" }, `+${count(amount)}`);
    this.values.get(name)?.append(gain);
  }

  clear() {
    for (const value of this.values.values()) {
      value.textContent = NONE;
      delete value.dataset.value;
    }
  }
}
