// Two agents seed by seed: a dot per seed, and the games that differ most.
import { element } from "../dom/element.js";
import { get, messageOf, path } from "../net/api.js";
import { budgetInWords } from "../text/budget_label.js";
import { mostDifferent, winsInWords } from "../shared/common_seeds.js";
import { count } from "../shared/number.js";
/** @import { GameList, RecordedGame } from "../net/server_json.js" */

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 320;

/**
 * The scores of both agents on a seed, and the numbers of their games.
 * @typedef {{ seed: number, budget: string | null, one: number, other: number, games: [number, number] }} Pair
 */

/**
 * The games on common seeds, under the same budget.
 * @param {RecordedGame[]} ones
 * @param {RecordedGame[]} others
 * @returns {Pair[]}
 */
export const pairUp = (ones, others) => {
  const bySeed = new Map(others.map((other) => [`${other.seed} ${other.budget}`, other]));
  return ones.flatMap((one) => {
    const other = bySeed.get(`${one.seed} ${one.budget}`);
    return other === undefined ? [] : [{ seed: one.seed, budget: one.budget, one: one.score, other: other.score, games: [one.game, other.game] }];
  });
};

/**
 * The seed, with the budget where the run has several.
 * @param {Pair} pair
 */
const placeOf = ({ seed, budget }) => `seed ${seed}${budget === null ? "" : `, ${budgetInWords(budget)}`}`;

export class PairScatter {
  #isOpen = false;

  /** @param {string} run */
  constructor(run) {
    this.run = run;
    this.one = element("select", { "aria-label": "First agent", change: () => this.#attempt(() => this.#draw()) });
    this.other = element("select", { "aria-label": "Second agent", change: () => this.#attempt(() => this.#draw()) });
    this.result = element("div", { class: "scatter-result" });
    this.element = element(
      "details",
      { class: "scatter", hidden: true, toggle: () => this.#attempt(() => this.#open()) },
      element("summary", {}, "Two agents seed by seed"),
      element("p", { class: "another" }, this.one, " against ", this.other),
      this.result,
    );
  }

  /**
   * An agent alone is not compared.
   * @param {number} nAgents
   */
  setAgents(nAgents) {
    this.element.hidden = nAgents < 2;
  }

  /**
   * Shows the error of an action, such as that of a run that was deleted.
   * @param {() => Promise<void>} action
   */
  #attempt(action) {
    action().catch((error) => { this.result.textContent = messageOf(error); });
  }

  async #open() {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { agents } = await this.#games("");
    for (const [place, select] of [this.one, this.other].entries()) {
      select.replaceChildren(...agents.map((agent) => element("option", { value: agent }, agent)));
      select.selectedIndex = Math.min(place, agents.length - 1);
    }
    await this.#draw();
  }

  /**
   * @param {string} query
   * @returns {Promise<GameList>}
   */
  #games(query) {
    return get(`${path`/api/runs/${this.run}/games`}?${query}`);
  }

  async #draw() {
    const [one, other] = [this.one.value, this.other.value];
    const [ones, others] = await Promise.all([one, other].map((agent) => this.#games(path`agent=${agent}`)));
    if (ones === undefined || others === undefined || one !== this.one.value || other !== this.other.value) return;
    const pairs = pairUp(ones.games, others.games);
    const isCut = ones.total > ones.games.length || others.total > others.games.length;
    this.result.replaceChildren(
      element("p", {}, winsInWords(pairs, one, other, new Set(pairs.map(({ seed }) => seed)).size < pairs.length ? "game pair" : "common seed"), isCut ? ` These are the first ${count(ones.games.length)} games of each.` : ""),
      ...(pairs.length === 0 ? [] : [makeScatter(pairs, one, other), this.#makeList(pairs, one, other)]),
    );
  }

  /**
   * @param {Pair[]} pairs
   * @param {string} one
   * @param {string} other
   */
  #makeList(pairs, one, other) {
    const rows = mostDifferent(pairs).map((pair) => element(
      "li",
      {},
      element("a", { href: `#replay/${encodeURIComponent(this.run)}/${pair.games.join("/")}` }, placeOf(pair)),
      `: ${one} ${count(pair.one)}, ${other} ${count(pair.other)}`,
    ));
    return element("div", {}, element("p", { class: "meta" }, "The games that differ most:"), element("ul", { class: "plain" }, rows));
  }
}

/**
 * A dot per seed; on the diagonal both scores are the same.
 * @param {Pair[]} pairs
 * @param {string} one
 * @param {string} other
 */
const makeScatter = (pairs, one, other) => {
  const highest = Math.max(1, ...pairs.flatMap((pair) => [pair.one, pair.other]));
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", `0 0 ${SIZE} ${SIZE}`);
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", `Scores on each seed: ${one} to the right, ${other} upwards, up to ${count(highest)}`);
  /** @type {(tag: string, attributes: Record<string, string | number>) => SVGElement} */
  const add = (tag, attributes) => {
    const mark = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) mark.setAttribute(name, String(value));
    drawing.append(mark);
    return mark;
  };
  add("rect", { class: "frame", x: 0, y: 0, width: SIZE, height: SIZE });
  add("line", { class: "diagonal", x1: 0, y1: SIZE, x2: SIZE, y2: 0 });
  for (const pair of pairs) {
    const place = (/** @type {number} */ score) => score / highest * (SIZE - 16) + 8;
    const dot = add("circle", { cx: place(pair.one).toFixed(1), cy: (SIZE - place(pair.other)).toFixed(1), r: 3 });
    const title = document.createElementNS(SVG, "title");
    title.textContent = `${placeOf(pair)}: ${one} ${count(pair.one)}, ${other} ${count(pair.other)}`;
    dot.append(title);
  }
  return element(
    "figure",
    { class: "pairs" },
    element("figcaption", {}, `→ ${one}, ↑ ${other}; dots below the line are seeds that ${one} won. Both axes end at ${count(highest)}.`),
    drawing,
  );
};
