// Two agents seed by seed, on the report page and the page of `host serve`: moves the dots of a
// chart when another pair of agents is chosen, and lists the games that differ most.
import { count, counted } from "./number.js";

const N_LISTED = 6;

/**
 * The scores of two agents on one seed; null where an agent has not played it.
 * @typedef {{ one: number | null, other: number | null }} SeedScores
 */

/**
 * The pairs in which both agents have played.
 * @template {SeedScores} P
 * @param {P[]} pairs
 */
const commonOf = (pairs) => pairs.flatMap((pair) => (pair.one === null || pair.other === null ? [] : [{ pair, lead: pair.one - pair.other }]));

/**
 * The pairs that differ most, in either direction; the earlier first if they differ equally.
 * @template {SeedScores} P
 * @param {P[]} pairs
 */
export const mostDifferent = (pairs) => commonOf(pairs)
  .sort((a, b) => Math.abs(b.lead) - Math.abs(a.lead))
  .slice(0, N_LISTED)
  .map(({ pair }) => pair);

/**
 * How many seeds each agent won.
 * @param {SeedScores[]} pairs
 * @param {string} one
 * @param {string} other
 */
export const winsInWords = (pairs, one, other) => {
  const leads = commonOf(pairs).map(({ lead }) => lead);
  const nWon = leads.filter((lead) => lead > 0).length;
  const nLost = leads.filter((lead) => lead < 0).length;
  const nTied = leads.length - nWon - nLost;
  const tied = nTied === 0 ? "" : `; ${count(nTied)} ${nTied === 1 ? "is" : "are"} tied`;
  return `Of the ${counted(leads.length, "common seed")} shown, ${one} won ${count(nWon)} and ${other} ${count(nLost)}${tied}.`;
};

/**
 * The scores of two agents on a seed, and the numbers of their games where the page links to them.
 * @typedef {SeedScores & { seed: string, games: (number | null)[] }} SeedPair
 */

/**
 * The numbers of a list; a place between two commas may be empty.
 * @param {string | undefined} text
 */
const numbersOf = (text) => (text === undefined ? [] : text.split(",").map((number) => (number === "" ? null : Number(number))));

export class SeedChart {
  /**
   * @param {HTMLElement} choice The two agents to choose, with the scores.
   * @param {(pair: SeedPair, names: [string, string]) => (string | Node)[]} describe What the list
   *   says about a seed, with links to its games.
   */
  constructor(choice, describe) {
    this.describe = describe;
    this.figure = choice.closest("figure");
    const { seeds = "", low, high, top, bottom } = choice.dataset;
    this.seeds = seeds.split(",");
    this.ends = { low: Math.log(Number(low)), high: Math.log(Number(high)), top: Number(top), bottom: Number(bottom) };
    /** @type {NodeListOf<HTMLElement>} */
    const lists = choice.querySelectorAll("[data-scores]");
    this.agents = [...lists].map(({ dataset }) => ({ scores: numbersOf(dataset.scores), games: numbersOf(dataset.games) }));
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
    const [first, second] = [this.agents[across.selectedIndex], this.agents[upwards.selectedIndex]];
    const pairs = this.seeds.map((seed, place) => ({
      seed, one: first?.scores[place] ?? null, other: second?.scores[place] ?? null,
      games: [first?.games[place] ?? null, second?.games[place] ?? null],
    }));
    const saved = this.figure.querySelector("template")?.content;
    for (const chart of [this.figure.querySelector("svg"), saved]) {
      if (chart) this.move(chart, pairs, one, other);
    }
    const note = document.createElement("p");
    note.textContent = winsInWords(pairs, one, other);
    const list = document.createElement("ul");
    for (const pair of mostDifferent(pairs)) {
      const line = document.createElement("li");
      line.append(...this.describe(pair, [one, other]));
      list.append(line);
    }
    this.figure.querySelector(".seed-result")?.replaceChildren(note, list);
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
}
