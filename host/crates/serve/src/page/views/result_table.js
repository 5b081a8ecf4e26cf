// The results of agents on the same tiles, with the person's own game among them.
import { aside, element, nameIn } from "../dom/element.js";
import { get, messageOf } from "../net/api.js";
import { budgetInWords } from "../text/budget_label.js";
import { count } from "../shared/number.js";
/** @import { GameResult, PersonGame, TileSettings } from "../net/server_json.js" */

const N_BEST = 5;

/**
 * @typedef {object} Row
 * @property {string} agent
 * @property {string} detail
 * @property {number} score
 * @property {number} highest
 * @property {number} moves
 * @property {string | null} address of the replay
 * @property {boolean} isOwn
 */

export class ResultTable {
  /** @type {GameResult[]} */
  #results = [];
  /** @type {Row[]} */
  #own = [];
  #showsAll = false;

  constructor() {
    this.body = element("tbody");
    this.note = element("p", { class: "meta" });
    this.allButton = element("button", { type: "button", hidden: true, click: () => {
      this.#showsAll = true;
      this.#show();
    } }, "All results");
    const heads = ["Agent", "Score", "Highest", "Moves"].map((name, index) => element("th", { scope: "col", class: index > 0 ? "n" : null }, name));
    this.table = element("table", { id: "results" }, element("thead", {}, element("tr", {}, heads)), this.body);
    this.element = element("div", {}, element("div", { class: "scroll" }, this.table), this.allButton, this.note);
  }

  /** @param {TileSettings} tiles */
  async load({ seed, size, four_share: share }) {
    const query = new URLSearchParams({ seed: String(seed), size: String(size), four_share: String(share) });
    try {
      /** @type {{ results: GameResult[] }} */
      const { results } = await get(`/api/results?${query}`);
      this.#results = results;
      this.note.textContent = results.length === 0 ? "No agent has played these tiles yet." : "";
    } catch (error) {
      this.note.textContent = messageOf(error);
    }
    this.#show();
  }

  /** @param {PersonGame} game */
  setOwn({ score, highest, n, ending }) {
    const row = { agent: "you", detail: ending === null ? "so far" : "", score, highest, moves: n, address: null, isOwn: true };
    this.#own = n === 0 ? [] : [row];
    this.#show();
  }

  #show() {
    const rows = [...distinct(this.#results).map(rowOf), ...this.#own].sort((one, other) => other.score - one.score);
    this.table.hidden = rows.length === 0;
    const shown = this.#showsAll ? rows : notableRows(rows);
    this.allButton.hidden = shown.length === rows.length;
    this.allButton.textContent = `All ${count(rows.length)} results`;
    this.body.replaceChildren(...shown.map(makeRow));
  }
}

/**
 * The best rows, and those beside the person's own.
 * @template {{ isOwn: boolean }} Entry
 * @param {Entry[]} rows from the best to the worst
 */
export const notableRows = (rows) => {
  const own = rows.findIndex(({ isOwn }) => isOwn);
  return rows.filter((_, place) => place < N_BEST || (own >= 0 && Math.abs(place - own) <= 1));
};

/**
 * Merges results of the same game, which may have been played here and be part of several
 * runs. The result that can be replayed is kept, with the longest detail: runs contain fewer
 * details about the parameters.
 * @param {GameResult[]} results
 */
export const distinct = (results) => {
  /** @type {Map<string, GameResult>} */
  const kept = new Map();
  for (const result of results) {
    const key = JSON.stringify([result.agent, result.score, result.n_moves, result.ending]);
    const known = kept.get(key) ?? result;
    const best = known.run === null && result.run !== null ? result : known;
    const detail = result.detail.length > known.detail.length ? result.detail : known.detail;
    kept.set(key, { ...best, detail });
  }
  return [...kept.values()];
};

/**
 * @param {GameResult} result
 * @returns {Row}
 */
const rowOf = ({ agent, detail, score, highest, n_moves: moves, source, run, game }) => ({
  agent,
  // The part that may be cut off comes last.
  detail: [source, budgetInWords(detail)].filter((part) => part !== "").join(" · "),
  score,
  highest,
  moves,
  address: run === null || game === null ? null : `#replay/${encodeURIComponent(run)}/${game}`,
  isOwn: false,
});

/** @param {Row} row */
const makeRow = ({ agent, detail, score, highest, moves, address, isOwn }) => element(
  "tr",
  { class: isOwn ? "own" : null },
  element("th", { scope: "row" }, nameIn(address === null ? agent : element("a", { href: address }, agent), agent), aside(detail)),
  [score, highest, moves].map((figure) => element("td", { class: "n" }, count(figure))),
);
