// How agents did on the same tiles, with the person's own game among them.
import { get } from "./api.js";
import { element, whole } from "./element.js";

export class ResultTable {
  constructor() {
    this.body = element("tbody");
    this.note = element("p", { class: "meta" });
    const heads = ["Agent", "Score", "Highest", "Moves"].map((name, place) => element("th", { scope: "col", class: place > 0 ? "n" : null }, name));
    this.table = element("table", { id: "results" }, element("thead", {}, element("tr", {}, heads)), this.body);
    this.element = element("div", {}, element("div", { class: "scroll" }, this.table), this.note);
  }

  async load({ seed, size, four_share: share }, own) {
    const query = new URLSearchParams({ seed, size, four_share: share });
    let results = [];
    try {
      ({ results } = await get(`/api/results?${query}`));
      this.note.textContent = results.length === 0 ? "No agent has played these tiles yet." : "";
    } catch (refusal) {
      this.note.textContent = refusal.message;
    }
    const you = { agent: "you", detail: own.over ? "" : "so far", score: own.score, highest: own.highest, n_moves: own.n, own: true };
    const all = [...results, ...(own.n > 0 ? [you] : [])].sort((one, other) => other.score - one.score);
    this.table.hidden = all.length === 0;
    this.body.replaceChildren(...all.map(row));
  }
}

const row = (result) => {
  const name = result.run !== null && result.run !== undefined && result.game !== null
    ? element("a", { href: `#replay/${encodeURIComponent(result.run)}/${result.game}` }, result.agent)
    : result.agent;
  const detail = [result.detail, result.source].filter((part) => part).join(" · ");
  return element(
    "tr",
    { class: result.own ? "own" : null },
    element("th", { scope: "row" }, name, detail === "" ? null : element("small", {}, detail)),
    [result.score, result.highest, result.n_moves].map((figure) => element("td", { class: "n" }, whole(figure))),
  );
};
