// A game as the page stores it: letters of six bits each, written by `game_code.rs`.
//
// The bits are: four for the number of start tiles, then those tiles; then for every move two
// for the direction, the distance of each tile on the board in the order of the cells, and the
// new tile. A distance is that many ones and a zero (no zero after the longest distance). A
// tile is its cell, in as few bits as the largest cell needs, and one bit that is set for a 4.
// This says where each tile goes, so the page does not need to know the rules.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Moves between two kept positions. The page replays at most so many to show any other.
const STRIDE = 256;

/**
 * A position of the game and the move that led to it.
 * @typedef {object} Position
 * @property {number[]} cells Exponents; 0 is an empty cell.
 * @property {number} score
 * @property {number | null} direction 0 to 3: up, right, down, left; null before the first move.
 * @property {import("./shared/board.js").Step | null} step
 */

class BitReader {
  /**
   * @param {string} text
   * @param {number} place
   */
  constructor(text, place) {
    this.text = text;
    this.place = place;
  }

  bit() {
    const letter = LETTERS.indexOf(this.text.charAt(Math.floor(this.place / 6)));
    const bit = letter >> (5 - this.place % 6) & 1;
    this.place += 1;
    return bit;
  }

  /** @param {number} bits */
  number(bits) {
    let number = 0;
    for (let bit = 0; bit < bits; bit++) number = number << 1 | this.bit();
    return number;
  }

  /** @param {number} longest */
  distance(longest) {
    let distance = 0;
    while (distance < longest && this.bit() === 1) distance += 1;
    return distance;
  }
}

export class RecordedGame {
  /**
   * @param {string} code
   * @param {number} side Cells per row.
   * @param {number} moves
   */
  constructor(code, side, moves) {
    this.code = code;
    this.side = side;
    this.moves = moves;
    const bits = new BitReader(code, 0);
    /** @type {number[]} */
    const cells = new Array(side * side).fill(0);
    for (let left = bits.number(4); left > 0; left--) {
      const { cell, exponent } = this.tile(bits);
      cells[cell] = exponent;
    }
    /** @type {Position} */
    let position = { cells, score: 0, direction: null, step: null };
    /** @type {{position: Position, place: number}[]} */
    this.kept = [];
    for (let number = 0; number <= moves; number++) {
      if (number > 0) position = this.next(position, bits);
      if (number % STRIDE === 0) this.kept.push({ position, place: bits.place });
    }
  }

  /**
   * The position after this many moves.
   * @param {number} number
   */
  at(number) {
    const kept = this.kept[Math.floor(number / STRIDE)];
    if (!kept) throw new Error(`the game has no move ${number}`);
    const bits = new BitReader(this.code, kept.place);
    let { position } = kept;
    for (let left = number % STRIDE; left > 0; left--) position = this.next(position, bits);
    return position;
  }

  /**
   * @param {Position} before
   * @param {BitReader} bits
   * @returns {Position}
   */
  next(before, bits) {
    const direction = bits.number(2);
    const offset = [-this.side, 1, this.side, -1][direction] ?? 0;
    /** @type {[number, number][]} */
    const slides = [];
    /** @type {number[]} */
    const cells = new Array(before.cells.length).fill(0);
    let { score } = before;
    before.cells.forEach((exponent, from) => {
      if (exponent === 0) return;
      const to = from + bits.distance(this.side - 1) * offset;
      slides.push([from, to]);
      const isMerge = cells[to] !== 0;
      const arrived = isMerge ? exponent + 1 : exponent;
      cells[to] = arrived;
      if (isMerge) score += 2 ** arrived;
    });
    const spawn = this.tile(bits);
    cells[spawn.cell] = spawn.exponent;
    return { cells, score, direction, step: { slides, spawn } };
  }

  /** @param {BitReader} bits */
  tile(bits) {
    const cell = bits.number(32 - Math.clz32(this.side * this.side - 1));
    return { cell, exponent: 1 + bits.bit() };
  }
}
