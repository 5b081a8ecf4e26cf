// Moves the dots of the charts "Seed by seed" when another pair of agents is chosen, and lists
// the games that differ most.
import { mostDifferent, winsInWords } from "./shared/common_seeds.js";
import { count } from "./shared/number.js";

/** @typedef {{ seed: string, one: number | null, other: number | null }} SeedPair */

class SeedChart {
  /** @param {HTMLElement} choice */
  constructor(choice) {
    this.choice = choice;
    this.figure = choice.closest("figure");
    const { seeds = "", low, high, top, bottom } = choice.dataset;
    this.seeds = seeds.split(",");
    this.ends = { low: Math.log(Number(low)), high: Math.log(Number(high)), top: Number(top), bottom: Number(bottom) };
    /** @type {NodeListOf<HTMLElement>} */
    const lists = choice.querySelectorAll("[data-scores]");
    this.scores = [...lists].map((list) => (list.dataset.scores ?? "").split(",").map((text) => (text === "" ? null : Number(text))));
    this.selects = [...choice.querySelectorAll("select")];
    for (const select of this.selects) select.addEventListener("change", () => this.draw());
    choice.hidden = false;
    this.draw();
  }

  /** @param {number} score */
  place(score) {
    const { low, high } = this.ends;
    return score <= 0 ? 0 : Math.min(1, Math.max(0, (Math.log(score) - low) / (high - low)));
  }

  draw() {
    const [across, upwards] = this.selects;
    if (!across || !upwards || !this.figure) return;
    const [one, other] = [across.value, upwards.value];
    const scoresOf = (/** @type {HTMLSelectElement} */ select) => this.scores[select.selectedIndex] ?? [];
    const [ones, others] = [scoresOf(across), scoresOf(upwards)];
    const pairs = this.seeds.map((seed, place) => ({ seed, one: ones[place] ?? null, other: others[place] ?? null }));
    const saved = this.figure.querySelector("template")?.content;
    for (const chart of [this.figure.querySelector("svg"), saved]) {
      if (chart) this.move(chart, pairs, one, other);
    }
    const result = this.figure.querySelector(".seed-result");
    const note = document.createElement("p");
    note.textContent = winsInWords(pairs, one, other);
    const list = document.createElement("ul");
    list.append(...mostDifferent(pairs).map((pair) => this.line(pair, one, other)));
    result?.replaceChildren(note, list);
  }

  /**
   * @param {ParentNode} chart
   * @param {SeedPair[]} pairs
   * @param {string} one
   * @param {string} other
   */
  move(chart, pairs, one, other) {
    const { top, bottom } = this.ends;
    const dots = chart.querySelectorAll("circle.seed");
    for (const [index, pair] of pairs.entries()) {
      const dot = dots[index];
      if (!dot) continue;
      const isMissing = pair.one === null || pair.other === null;
      const [x, y] = [this.place(pair.one ?? 0), this.place(pair.other ?? 0)];
      dot.setAttribute("cx", `${(100 * x).toFixed(2)}%`);
      dot.setAttribute("cy", (bottom + y * (top - bottom)).toFixed(2));
      dot.setAttribute("class", isMissing ? "seed missing" : (pair.one ?? 0) >= (pair.other ?? 0) ? "seed won" : "seed lost");
      const title = dot.firstElementChild ?? dot.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "title"));
      title.textContent = `seed ${pair.seed}: ${one} ${count(pair.one ?? 0)}, ${other} ${count(pair.other ?? 0)}`;
    }
    for (const [kind, name] of [[".of-x", `score of ${one} →`], [".of-y", `score of ${other} ↑`]]) {
      const text = kind && chart.querySelector(kind);
      if (text) text.textContent = name ?? "";
    }
  }

  /**
   * @param {SeedPair} pair
   * @param {string} one
   * @param {string} other
   */
  line(pair, one, other) {
    const line = document.createElement("li");
    line.append(`seed ${pair.seed}: `, this.game(pair.seed, one, pair.one), ", ", this.game(pair.seed, other, pair.other));
    return line;
  }

  /**
   * The score of a game, as a link where the page replays it.
   * @param {string} seed
   * @param {string} agent
   * @param {number | null} score
   */
  game(seed, agent, score) {
    const text = `${agent} ${count(score ?? 0)}`;
    const { budget } = this.choice.dataset;
    /** @type {HTMLElement[]} */
    const rows = [...document.querySelectorAll("#games tr[data-code]")].filter((row) => row instanceof HTMLElement);
    const index = rows.findIndex((row) => row.dataset.agent === agent && row.dataset.seed === seed && row.dataset.budget === budget);
    if (index < 0) return text;
    const link = document.createElement("a");
    link.href = "#replay";
    link.textContent = text;
    link.addEventListener("click", () => {
      const games = document.getElementById("player-game");
      if (!(games instanceof HTMLSelectElement)) return;
      games.selectedIndex = index;
      games.dispatchEvent(new Event("change"));
    });
    return link;
  }
}

/** @type {NodeListOf<HTMLElement>} */
const seedChoices = document.querySelectorAll(".seed-choice");
for (const choice of seedChoices) new SeedChart(choice);
