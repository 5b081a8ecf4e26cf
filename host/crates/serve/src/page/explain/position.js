// A position in an address and in the forms of the page: rows of face values, and what the game
// does besides.
import { element } from "../dom/element.js";
/** @import { Cells, Rows } from "../net/server_json.js" */

const USUAL_FOUR = 0.1;

/**
 * The exponents of a board that the server writes as face values.
 * @param {Rows} rows
 * @returns {Cells}
 */
export const cellsOf = (rows) => rows.flat().map((face) => (face === 0 ? 0 : Math.round(Math.log2(face))));

/**
 * @param {Cells} cells
 * @returns {Rows}
 */
export const rowsOf = (cells) => {
  const side = Math.round(Math.sqrt(cells.length));
  return Array.from({ length: side }, (_, row) => cells.slice(row * side, (row + 1) * side).map((exponent) => (exponent === 0 ? 0 : 2 ** exponent)));
};

/**
 * The board as people type it: `2 4/0 8`.
 * @param {Cells} cells
 */
export const notationOf = (cells) => rowsOf(cells).map((row) => row.join(" ")).join("/");

/**
 * What distinguishes the rules of a game from the usual ones.
 * @param {{ four_share: number | null, tiles?: string | undefined, goal?: number | null | undefined }} rules
 * @returns {Record<string, string>}
 */
export const settingsOf = ({ four_share: four, tiles, goal }) => ({
  ...(four === null || four === USUAL_FOUR ? {} : { four: String(four) }),
  ...(tiles === undefined || tiles === "random" ? {} : { tiles }),
  ...(goal === undefined || goal === null ? {} : { goal: String(goal) }),
});

/** A link from a board to its explanation. */
export class ExplainLink {
  /** @param {Record<string, string>} [settings] of the game */
  constructor(settings = {}) {
    this.settings = settings;
    this.element = element("a", { class: "explain-link", href: "#explain", hidden: true }, "Explain this position");
  }

  /** @param {Cells | null} cells null where there is nothing to explain */
  set(cells) {
    this.element.hidden = cells === null;
    if (cells !== null) this.element.href = explainAddress(cells, this.settings);
  }
}

/**
 * What an address says about a position: `#explain/2,4/0,8/four=0.2`.
 * @param {Cells} cells
 * @param {Record<string, string>} [settings]
 */
export const explainAddress = (cells, settings = {}) => {
  const rows = rowsOf(cells).map((row) => row.join(","));
  const rest = Object.entries(settings).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `#explain/${[...rows, ...rest].join("/")}`;
};

/**
 * The board, in the notation of the server, and the settings of an address.
 * @param {string[]} parts
 * @returns {{ board: string | null, settings: Record<string, string> }}
 */
export const parsePosition = (parts) => {
  const rows = parts.filter((part) => !part.includes("="));
  const settings = parts.filter((part) => part.includes("=")).map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  });
  return { board: rows.length === 0 ? null : rows.map((row) => row.replaceAll(",", " ")).join("/"), settings: Object.fromEntries(settings) };
};
