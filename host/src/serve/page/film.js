// A recorded game that can be shown at any move. Its steps are fetched in windows and
// kept, so that a game of thirty thousand moves opens at once.
import { get, path } from "./api.js";

const WINDOW = 500;

export class Film {
  constructor(run, game) {
    this.run = run;
    this.game = game;
    this.windows = new Map();
  }

  async load() {
    this.details = await get(path`/api/runs/${this.run}/games/${this.game}`);
    this.nMoves = this.details.moves.length;
    return this;
  }

  /** The board after so many moves, and the step that led to it; null while it is on its way. */
  async at(number) {
    const n = Math.max(0, Math.min(this.nMoves, number));
    const window = await this.window(Math.floor(Math.max(0, n - 1) / WINDOW));
    if (n === 0) return { n, board: window.board, score: 0, step: null };
    const step = window.steps[(n - 1) % WINDOW];
    return { n, board: step.board, score: step.score, step };
  }

  window(place) {
    if (!this.windows.has(place)) {
      const fetched = get(path`/api/runs/${this.run}/games/${this.game}/steps?from=${place * WINDOW}&count=${WINDOW}`);
      // What failed is asked for again.
      fetched.catch(() => this.windows.delete(place));
      this.windows.set(place, fetched);
    }
    return this.windows.get(place);
  }

  /** Fetches what comes next, so that a running replay does not stop at the end of a window. */
  prepare(number) {
    if (number + WINDOW / 2 < this.nMoves) this.window(Math.floor((number + WINDOW / 2) / WINDOW)).catch(() => {});
  }
}
