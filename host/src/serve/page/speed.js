// How fast moves follow each other: a slider from one a second to as fast as it goes.
import { element } from "./element.js";
import { recall, remember } from "./memory.js";

const USUAL = 3;

export class Speed {
  /** `stops` are moves a second, null is as fast as it goes; `key` is what the choice is kept under. */
  constructor(key, stops, changed) {
    this.stops = stops;
    this.input = element("input", { id: "speed", type: "range", min: 0, max: stops.length - 1, step: 1 });
    this.input.value = recall(key, USUAL);
    this.output = element("output", { for: "speed" });
    this.element = element("div", { class: "speed" }, element("label", { for: "speed" }, "Speed"), this.input, this.output);
    this.input.addEventListener("input", () => {
      remember(key, Number(this.input.value));
      this.describe();
      changed(this.value);
    });
    this.describe();
  }

  get value() {
    return this.stops[Number(this.input.value)];
  }

  /** Follows what another viewer of the same game chose. */
  set(value) {
    const place = this.stops.indexOf(value);
    if (place >= 0) this.input.value = place;
    this.describe();
  }

  describe() {
    const text = this.value === null ? "as fast as it goes" : `${this.value} a second`;
    this.output.textContent = text;
    this.input.setAttribute("aria-valuetext", text);
  }
}
