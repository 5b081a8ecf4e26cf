// A node of a search tree in full: its board, what led to it, its value and the parts of it, and
// the weights of the cells.
import { element } from "../dom/element.js";
import { Board } from "../shared/board.js";
import { count, decimals } from "../shared/number.js";
import { factsOf, kindOf, leadOf, valueText } from "../text/search_words.js";
import { cellsOf, explainAddress } from "./position.js";
/** @import { Explanation, Rows, Term } from "../net/server_json.js" */

export class NodeDetails {
  /**
   * @param {Explanation} explanation
   * @param {Record<string, string>} settings of the position, for links to others
   * @param {(index: number) => void} go
   */
  constructor(explanation, settings, go) {
    this.explanation = explanation;
    this.settings = settings;
    this.go = go;
    this.board = new Board(explanation.nodes[0]?.board.length ?? 4);
    this.path = element("p", { class: "path" });
    this.value = element("p", { class: "node-value" });
    this.facts = element("ul", { class: "facts", role: "list" });
    this.terms = element("div");
    this.grid = element("div");
    this.from = element("a", { class: "from-here", href: "#explain" }, "Explain from here");
    this.element = element(
      "div",
      { class: "node-details", "aria-live": "polite" },
      element("div", { class: "node-board" }, this.board.element, this.from),
      element("div", { class: "node-words" }, this.path, this.value, this.facts),
      element("div", {}, this.terms, this.grid),
    );
  }

  /**
   * @param {number} index
   * @param {boolean} isDone whether the search of the node is complete
   */
  show(index, isDone) {
    const { nodes, grids = [] } = this.explanation;
    const node = nodes[index];
    if (node === undefined) return;
    this.board.show(cellsOf(node.board));
    this.path.replaceChildren(...this.#pathTo(index));
    const kind = kindOf(node);
    this.value.replaceChildren(`${kind.sign} ${kind.word}`, ...(isDone && node.value !== undefined ? [": ", element("b", {}, valueText(node))] : []));
    this.facts.replaceChildren(...(isDone ? factsOf(node) : ["not complete yet"]).map((fact) => element("li", {}, fact)));
    this.terms.replaceChildren(...(node.terms === undefined ? [] : [termTable(node.terms)]));
    const grid = node.grid === undefined ? undefined : grids[node.grid];
    this.grid.replaceChildren(...(grid === undefined ? [] : [heatMap(grid.name, grid.weights, node.board)]));
    this.from.hidden = index === 0 || !["max", "leaf"].includes(node.kind);
    this.from.href = explainAddress(cellsOf(node.board), this.settings);
  }

  /**
   * The way from the root, each node a button.
   * @param {number} index
   */
  #pathTo(index) {
    const { nodes } = this.explanation;
    const path = [];
    for (let at = /** @type {number | undefined} */ (index); at !== undefined; at = nodes[at]?.parent) path.unshift(at);
    return path.flatMap((at, place) => {
      const node = nodes[at];
      if (node === undefined) return [];
      const button = element("button", { type: "button", "aria-current": at === index ? "true" : null, click: () => this.go(at) }, leadOf(node));
      return place === 0 ? [button] : [" › ", button];
    });
  }
}

/**
 * The parts of a value: number, factor, and a bar for their product.
 * @param {Term[]} terms
 */
const termTable = (terms) => {
  const products = terms.map(({ value, factor = 1 }) => value * factor);
  const largest = Math.max(...products.map(Math.abs));
  return element("table", { class: "terms" },
    element("caption", {}, "Terms of the evaluation"),
    element("tbody", {}, terms.map(({ name, value, factor = 1 }, index) => {
      const product = products[index] ?? 0;
      const bar = element("span", { class: product < 0 ? "bar less" : "bar" });
      bar.style.width = `${largest === 0 ? 0 : 100 * Math.abs(product) / largest}%`;
      return element("tr", {},
        element("th", { scope: "row" }, name),
        element("td", { class: "n" }, factor === 1 ? exact(value) : `${exact(factor)} × ${exact(value)}`),
        element("td", { class: "n" }, factor === 1 ? "" : `= ${exact(product)}`),
        element("td", { class: "track" }, bar));
    })));
};

/**
 * All digits of a number that matter.
 * @param {number} number
 */
const exact = (number) => (Number.isInteger(number) ? count(number) : decimals(number, Math.abs(number) < 100 ? 2 : 0)).replace("-", "−");

/**
 * Weights of cells: the darker, the heavier. They may grow by a factor from cell to cell, so their
 * ranks decide, not their sizes.
 * @param {string} name
 * @param {number[][]} weights
 * @param {Rows} board
 */
const heatMap = (name, weights, board) => {
  const sorted = [...new Set(weights.flat())].sort((one, other) => one - other);
  const rows = weights.map((row, y) => element("tr", {}, row.map((weight, x) => {
    const cell = element("td", {}, element("b", {}, compact(weight)), element("small", {}, String(board[y]?.[x] || "·")));
    cell.style.setProperty("--heat", `${Math.round(100 * sorted.indexOf(weight) / Math.max(1, sorted.length - 1))}%`);
    return cell;
  })));
  return element("table", { class: "heat" }, element("caption", {}, `Weights, ${name}, above the tiles`), element("tbody", {}, rows));
};

/** @param {number} number */
const compact = (number) => (Math.abs(number) < 1e5 ? exact(number) : number.toExponential(1).replace("e+", "e"));
