// The figures of a game: score, move, highest tile.
import { element, whole } from "./element.js";

export class Readings {
  constructor(names) {
    this.values = Object.fromEntries(names.map((name) => [name, element("dd", { "data-reading": name }, "–")]));
    const rows = names.map((name) => element("div", {}, element("dt", {}, name), this.values[name]));
    this.element = element("dl", { class: "readings" }, rows);
  }

  /** Numbers are written with separators; `data-value` has them plain. */
  set(figures) {
    for (const [name, figure] of Object.entries(figures)) {
      const value = this.values[name];
      value.textContent = typeof figure === "number" ? whole(figure) : figure;
      value.dataset.value = figure;
    }
  }

  clear() {
    for (const value of Object.values(this.values)) {
      value.textContent = "–";
      delete value.dataset.value;
    }
  }
}
