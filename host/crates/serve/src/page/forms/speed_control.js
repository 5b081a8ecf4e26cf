// The speed of the moves: a slider from one per second to the fastest.
import { element } from "../dom/element.js";
import { recall, remember } from "../dom/storage.js";

const USUAL_INDEX = 3;

/**
 * @param {number | null} speed in moves per second; null means no limit
 */
export const speedInWords = (speed) => (speed === null ? "no limit" : `${speed} per second`);

/** @template {number | null} Stop */
export class SpeedControl {
  /**
   * @param {string} key under which the choice is remembered
   * @param {Stop[]} stops in moves per second; null means no limit
   * @param {(speed: Stop) => void} onChange
   */
  constructor(key, stops, onChange) {
    this.stops = stops;
    this.input = element("input", { id: "speed", type: "range", min: 0, max: stops.length - 1, step: 1 });
    this.input.value = String(recall(key, USUAL_INDEX));
    this.output = element("output", { for: "speed" });
    this.element = element("div", { class: "speed" }, element("label", { for: "speed" }, "Speed"), this.input, this.output);
    this.input.addEventListener("input", () => {
      remember(key, Number(this.input.value));
      this.#describe();
      onChange(this.value);
    });
    this.#describe();
  }

  get value() {
    const stop = this.stops[Number(this.input.value)];
    if (stop === undefined) throw new Error(`the slider has no stop ${this.input.value}`);
    return stop;
  }

  /**
   * Shows the speed that another viewer of the same session chose.
   * @param {Stop} speed
   */
  set(speed) {
    const index = this.stops.indexOf(speed);
    if (index >= 0) this.input.value = String(index);
    this.#describe();
  }

  #describe() {
    const text = speedInWords(this.value);
    this.output.textContent = text;
    this.input.setAttribute("aria-valuetext", text);
  }
}
