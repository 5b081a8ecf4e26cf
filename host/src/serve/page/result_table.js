// How agents did on the same tiles, with the person's own game among them.
import { get } from "./api.js";
import { aside, element, whole } from "./element.js";

export class ResultTable {
  constructor() {
    this.results = [];
    this.own = [];
    this.body = element("tbody");
    this.note = element("p", { class: "meta" });
    const heads = ["Agent", "Score", "Highest", "Moves"].map((name, place) => element("th", { scope: "col", class: place > 0 ? "n" : null }, name));
    this.table = element("table", { id: "results" }, element("thead", {}, element("tr", {}, heads)), this.body);
    this.element = element("div", {}, element("div", { class: "scroll" }, this.table), this.note);
  }

  async load({ seed, size, four_share: share }) {
    const query = new URLSearchParams({ seed, size, four_share: share });
    try {
      ({ results: this.results } = await get(`/api/results?${query}`));
      this.note.textContent = this.results.length === 0 ? "No agent has played these tiles yet." : "";
    } catch (refusal) {
      this.note.textContent = refusal.message;
    }
    this.show();
  }

  setOwn({ score, highest, n, over }) {
    this.own = n === 0 ? [] : [{ agent: "you", detail: over ? "" : "so far", score, highest, n_moves: n, own: true }];
    this.show();
  }

  show() {
    const all = [...distinct(this.results), ...this.own].sort((one, other) => other.score - one.score);
    this.table.hidden = all.length === 0;
    this.body.replaceChildren(...all.map(row));
  }
}

/** A game that was played here and is in a run, or in several, is one; the one that can be replayed
    is kept. Runs tell less of the parameters, so details that differ do not make two of it. */
const distinct = (results) => {
  const kept = new Map();
  for (const result of results) {
    const key = JSON.stringify([result.agent, result.score, result.n_moves, result.ending]);
    const known = kept.get(key);
    const best = !known || (known.run === null && result.run !== null) ? result : known;
    const detail = [known?.detail ?? "", result.detail].sort((one, other) => other.length - one.length)[0];
    kept.set(key, { ...best, detail });
  }
  return [...kept.values()];
};

const row = (result) => {
  const name = result.run !== null && result.run !== undefined && result.game !== null
    ? element("a", { href: `#replay/${encodeURIComponent(result.run)}/${result.game}` }, result.agent)
    : result.agent;
  // What may be cut comes last.
  const detail = [result.source, result.detail].filter((part) => part).join(" · ");
  return element(
    "tr",
    { class: result.own ? "own" : null },
    element("th", { scope: "row" }, name, aside(detail)),
    [whole(result.score), whole(result.highest), whole(result.n_moves)].map((figure) => element("td", { class: "n" }, figure)),
  );
};
