// A board whose tiles slide, merge and appear, the same on the report page and the page of
// `host serve`. It does not know the rules: the host says where each tile goes.

/**
 * One move.
 * @typedef {object} Step
 * @property {[number, number][]} slides The cell that each tile leaves and the cell it reaches.
 * @property {{cell: number, exponent: number} | null} spawn The tile that appears after the move.
 */

/** @typedef {{element: HTMLElement, exponent: number}} Tile */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
// Shorter slides look like flicker.
const SHORTEST_SLIDE_MS = 40;
const LONGEST_SLIDE_MS = 110;
// Merged and new tiles pop up after the slide, for this share of its time.
const POP_SHARE = 0.8;

/**
 * How long a tile may slide, in milliseconds: half the time until the next move, so that the
 * pop ends before it as well.
 * @param {number | null} speed Moves per second; null means as fast as possible.
 */
export const slideTime = (speed) =>
  speed === null ? 0 : Math.min(LONGEST_SLIDE_MS, 500 / speed);

/** @param {string} className */
const span = (className) => {
  const created = document.createElement("span");
  created.className = className;
  return created;
};

export class Board {
  /** @param {number} side Cells per row. */
  constructor(side) {
    this.element = document.createElement("div");
    this.element.className = "board";
    this.element.setAttribute("role", "img");
    /** @type {Map<number, Tile>} */
    this.tiles = new Map();
    /** @type {Tile[]} */
    this.leaving = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.side = side;
    this.setSide(side);
  }

  /** @param {number} side */
  setSide(side) {
    this.side = side;
    this.element.style.setProperty("--side", String(side));
    const cells = Array.from({ length: side * side }, (_, cell) => {
      const empty = span("cell");
      this.place(empty, cell);
      return empty;
    });
    this.tiles.clear();
    this.leaving = [];
    this.element.replaceChildren(...cells);
    this.describe(new Array(side * side).fill(0));
  }

  /**
   * Shows these exponents at once.
   * @param {number[]} cells
   */
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

  /**
   * Slides the tiles of one move.
   * @param {Step} step
   * @param {number[]} cells The board after the move.
   * @param {number} milliseconds
   */
  step({ slides, spawn }, cells, milliseconds) {
    this.settle();
    const isKnown = slides.length === this.tiles.size && slides.every(([from]) => this.tiles.has(from));
    if (calm.matches || milliseconds < SHORTEST_SLIDE_MS || !isKnown) {
      this.show(cells);
      return;
    }
    // The class is set only while tiles slide: a change of the board's width must not animate them.
    this.element.classList.add("sliding");
    const pop = POP_SHARE * milliseconds;
    this.element.style.setProperty("--slide", `${milliseconds}ms`);
    this.element.style.setProperty("--pop", `${pop}ms`);
    /** @type {Map<number, Tile[]>} */
    const arrived = new Map();
    for (const [from, to] of slides) {
      const tile = this.tiles.get(from);
      if (!tile) continue;
      this.place(tile.element, to);
      arrived.set(to, [...(arrived.get(to) ?? []), tile]);
    }
    this.tiles.clear();
    for (const [cell, tiles] of arrived) {
      const [first, second] = tiles;
      if (first && !second) {
        this.tiles.set(cell, first);
      } else {
        this.leaving.push(...tiles);
        this.add(cell, cells[cell] ?? 0, "merged");
      }
    }
    if (spawn) this.add(spawn.cell, spawn.exponent, "new");
    // The sources of a merged tile stay below it until it is there.
    this.timer = setTimeout(() => this.settle(), milliseconds + pop);
    this.describe(cells);
  }

  /** Ends an animation that is still under way; the next move does not wait for it. */
  settle() {
    clearTimeout(this.timer);
    this.element.classList.remove("sliding");
    // Without its class a tile is fully visible at once.
    for (const { element } of this.tiles.values()) element.classList.remove("merged", "new");
    for (const tile of this.leaving) tile.element.remove();
    this.leaving = [];
  }

  /**
   * @param {number} cell
   * @param {number} exponent
   * @param {"" | "merged" | "new"} how
   */
  add(cell, exponent, how) {
    const face = String(2 ** exponent);
    const tile = span(`tile e${Math.min(exponent, 18)} d${Math.min(face.length, 9)} ${how}`.trim());
    tile.textContent = face;
    this.place(tile, cell);
    this.tiles.set(cell, { element: tile, exponent });
    this.element.append(tile);
  }

  /**
   * @param {HTMLElement} tile
   * @param {number} cell
   */
  place(tile, cell) {
    tile.style.setProperty("--x", String(cell % this.side));
    tile.style.setProperty("--y", String(Math.floor(cell / this.side)));
  }

  /**
   * Describes the board for screen readers: `2 . / 4 8`.
   * @param {number[]} cells
   */
  describe(cells) {
    const rows = [];
    for (let row = 0; row < this.side; row++) {
      const tiles = cells.slice(row * this.side, (row + 1) * this.side);
      rows.push(tiles.map((exponent) => (exponent === 0 ? "." : 2 ** exponent)).join(" "));
    }
    this.element.setAttribute("aria-label", rows.join(" / "));
  }
}
