// A board: tiles that slide, merge and appear. It knows no rules; where each tile
// goes comes from the server.
import { element } from "./element.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
// A slide that is shorter than this is seen as a flicker.
const SHORTEST_SLIDE_MS = 40;
const LONGEST_SLIDE_MS = 120;

/** How long a tile may slide at so many moves a second. */
export const slideTime = (speed) =>
  speed === null ? 0 : Math.min(LONGEST_SLIDE_MS, 600 / speed);

export class Board {
  constructor(side) {
    this.element = element("div", { class: "board", role: "img" });
    this.tiles = new Map();
    this.leaving = [];
    this.timer = 0;
    this.setSide(side);
  }

  setSide(side) {
    this.side = side;
    this.element.style.setProperty("--side", side);
    const cells = Array.from({ length: side * side }, (_, cell) => {
      const empty = element("span", { class: "cell" });
      this.place(empty, cell);
      return empty;
    });
    this.tiles.clear();
    this.leaving = [];
    this.element.replaceChildren(...cells);
    this.describe(new Array(side * side).fill(0));
  }

  /** Shows these exponents at once. */
  show(cells) {
    if (cells.length !== this.side * this.side) this.setSide(Math.round(Math.sqrt(cells.length)));
    this.settle();
    cells.forEach((exponent, cell) => {
      const tile = this.tiles.get(cell);
      if (tile?.exponent === exponent) return;
      tile?.element.remove();
      this.tiles.delete(cell);
      if (exponent > 0) this.add(cell, exponent, "");
    });
    this.describe(cells);
  }

  /** Slides the tiles of one move; `cells` is the board after it. */
  step({ slides, spawn }, cells, milliseconds) {
    this.settle();
    const isKnown = slides.length === this.tiles.size && slides.every(([from]) => this.tiles.has(from));
    if (calm.matches || milliseconds < SHORTEST_SLIDE_MS || !isKnown) {
      this.show(cells);
      return;
    }
    // Tiles move only now: a board whose width changes must not set off its tiles.
    this.element.classList.add("sliding");
    this.element.style.setProperty("--slide", `${milliseconds}ms`);
    const arrived = new Map();
    for (const [from, to] of slides) {
      const tile = this.tiles.get(from);
      this.place(tile.element, to);
      arrived.set(to, [...(arrived.get(to) ?? []), tile]);
    }
    this.tiles.clear();
    for (const [cell, tiles] of arrived) {
      if (tiles.length === 1) {
        this.tiles.set(cell, tiles[0]);
      } else {
        this.leaving.push(...tiles);
        this.add(cell, cells[cell], "merged");
      }
    }
    if (spawn) this.add(spawn.cell, spawn.exponent, "new");
    this.timer = setTimeout(() => this.settle(), milliseconds);
    this.describe(cells);
  }

  /** Ends what still moves; the next move does not wait for it. */
  settle() {
    clearTimeout(this.timer);
    this.element.classList.remove("sliding");
    for (const tile of this.leaving) tile.element.remove();
    this.leaving = [];
  }

  add(cell, exponent, how) {
    const face = String(2 ** exponent);
    const tile = element("span", {
      class: `tile e${Math.min(exponent, 18)} d${Math.min(face.length, 9)} ${how}`,
    }, face);
    this.place(tile, cell);
    this.tiles.set(cell, { element: tile, exponent });
    this.element.append(tile);
  }

  place(tile, cell) {
    tile.style.setProperty("--x", cell % this.side);
    tile.style.setProperty("--y", Math.floor(cell / this.side));
  }

  describe(cells) {
    const rows = [];
    for (let row = 0; row < this.side; row++) {
      const tiles = cells.slice(row * this.side, (row + 1) * this.side);
      rows.push(tiles.map((exponent) => (exponent === 0 ? "." : 2 ** exponent)).join(" "));
    }
    this.element.setAttribute("aria-label", rows.join(" / "));
  }
}
