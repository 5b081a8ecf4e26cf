// The course of live games so far, and where two of them part in strength.
import { element } from "../dom/element.js";
import { get, path } from "../net/api.js";
import { CourseChart } from "./course_chart.js";
import { partingOf } from "./parting.js";
/** @import { GameCurve } from "../net/server_json.js" */

export class LiveCourse {
  /** what is shown: the session and its number of moves */
  #shown = "";

  /** @param {(move: number) => void} onReplay called with the move to look at */
  constructor(onReplay) {
    this.onReplay = onReplay;
    this.chart = new CourseChart(null);
    this.text = element("p", { class: "comparison" });
    this.landmarks = element("p", { class: "landmarks", hidden: true });
    this.element = element("div", { class: "live-course", hidden: true }, this.text, this.landmarks, this.chart.element);
  }

  /**
   * @param {string} session
   * @param {{ name: string, nMoves: number }[]} games
   * @param {boolean} canReplay whether moves can be looked at
   */
  async show(session, games, canReplay) {
    const key = JSON.stringify([session, games, canReplay]);
    if (key === this.#shown) return;
    this.#shown = key;
    if (games.every(({ nMoves }) => nMoves === 0)) {
      this.chart.show([]);
      return;
    }
    const courses = await Promise.all(games.map(async ({ name }, index) => {
      /** @type {GameCurve} */
      const { points } = await get(path`/api/sessions/${session}/games/${index}/curve`);
      return { name, points };
    })).catch(() => null);
    // A server that was started anew does not know the session; its stream says so.
    if (courses === null || key !== this.#shown) return;
    this.chart.show(courses);
    const [one, other, ...more] = courses;
    const { text, landmarks } = one && other && more.length === 0 ? partingOf(one, other) : { text: "", landmarks: [] };
    this.text.textContent = text;
    this.text.hidden = text === "";
    this.landmarks.hidden = !canReplay || landmarks.length === 0;
    this.landmarks.replaceChildren(...landmarks.map(({ move, text: what }) => element(
      "button",
      { type: "button", "data-move": move, title: "Saves the games and opens them in Replay", click: () => this.onReplay(move) },
      what,
    )));
  }
}
