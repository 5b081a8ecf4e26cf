// What an agent thought of its last move: a bar for each direction, and its effort.
import { DIRECTIONS, arrow, element, inWords, unseen, whole } from "./element.js";

export class Thoughts {
  constructor() {
    this.rows = DIRECTIONS.map((direction) => {
      const bar = element("span", { class: "bar" });
      const value = element("span", { class: "value" });
      const mark = unseen("");
      const name = element("span", {}, element("span", { "aria-hidden": "true" }, arrow(direction)), unseen(inWords(direction)));
      const track = element("span", { class: "track" }, bar);
      return { direction, bar, value, mark, element: element("li", {}, name, track, value, mark) };
    });
    this.effort = element("p", { class: "meta effort" });
    this.list = element("ol", { class: "values", role: "list" }, this.rows.map((row) => row.element));
    this.element = element("div", { class: "thoughts", hidden: true }, this.list, this.effort);
  }

  set(thought, chosen) {
    this.element.hidden = thought === null;
    if (thought === null) return;
    const values = thought.values ?? [];
    const known = values.filter((value) => typeof value === "number");
    // An agent that values nothing still has its effort to show.
    this.list.hidden = known.length === 0;
    const lowest = Math.min(...known);
    const range = Math.max(...known) - lowest;
    this.rows.forEach((row, place) => {
      const value = values[place];
      const isKnown = typeof value === "number";
      const share = !isKnown ? 0 : range === 0 ? 1 : 0.12 + 0.88 * (value - lowest) / range;
      row.bar.style.width = `${100 * share}%`;
      row.value.textContent = isKnown ? short(value) : "–";
      const isChosen = row.direction === chosen;
      row.element.classList.toggle("chosen", isChosen);
      row.mark.textContent = isChosen ? "chosen" : "";
    });
    const parts = [];
    if (typeof thought.depth === "number") parts.push(`depth ${whole(thought.depth)}`);
    if (typeof thought.nodes === "number") parts.push(`${whole(thought.nodes)} nodes`);
    if (typeof thought.cpu_us === "number") parts.push(`${time(thought.cpu_us)} CPU`);
    this.effort.textContent = parts.join(" · ");
  }

  clear() {
    this.element.hidden = true;
  }
}

const short = (value) => {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-3) return value.toExponential(2);
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(4, Math.ceil(Math.log10(size))) });
};

const time = (microseconds) => {
  if (microseconds < 1000) return `${microseconds.toPrecision(3)} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toPrecision(3)} ms`;
  return `${(microseconds / 1e6).toPrecision(3)} s`;
};
