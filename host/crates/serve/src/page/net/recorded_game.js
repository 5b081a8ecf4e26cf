// A recorded game that can be shown at any move. It fetches its steps in windows and keeps
// them, so even a game of thirty thousand moves opens quickly.
import { get, path } from "./api.js";
/** @import { Cells, MoveThought, RecordedCourse, Step, StepList, WholeGame } from "./server_json.js" */

const WINDOW = 200;

/**
 * The game after `n` moves, the step that led there and what its agent said about it; the
 * start has none.
 * @typedef {{ n: number, board: Cells, score: number, step: Step | null, thought: MoveThought | null }} Position
 */

export class RecordedGame {
  /** @type {Map<number, Promise<StepList>>} */
  #windows = new Map();

  /**
   * @param {string} run
   * @param {WholeGame} details
   */
  constructor(run, details) {
    this.run = run;
    this.details = details;
    this.nMoves = details.moves.length;
  }

  /**
   * @param {string} run
   * @param {string} number of the game
   */
  static async load(run, number) {
    /** @type {WholeGame} */
    const details = await get(path`/api/runs/${run}/games/${number}`);
    return new RecordedGame(run, details);
  }

  /**
   * The position after this many moves.
   * @param {number} number
   * @returns {Promise<Position>}
   */
  async at(number) {
    const n = Math.max(0, Math.min(this.nMoves, number));
    const window = await this.#window(Math.floor(Math.max(0, n - 1) / WINDOW));
    if (n === 0) return { n, board: window.board, score: 0, step: null, thought: null };
    const step = window.steps[(n - 1) % WINDOW];
    if (step === undefined) throw new Error(`the server did not send move ${n}`);
    return { n, board: step.board, score: step.score, step, thought: step.thought ?? null };
  }

  /**
   * The course of the game over its moves, and what the agent said about them.
   * @returns {Promise<RecordedCourse>}
   */
  course() {
    return get(path`/api/runs/${this.run}/games/${this.details.game}/curve`);
  }

  /**
   * Fetches the steps that come next, so that a replay does not stop at the end of a window.
   * @param {number} number
   */
  prefetch(number) {
    const next = number + WINDOW / 2;
    // An error is reported when the steps are shown.
    if (next < this.nMoves) this.#window(Math.floor(next / WINDOW)).catch(() => {});
  }

  /** @param {number} index */
  #window(index) {
    const known = this.#windows.get(index);
    if (known !== undefined) return known;
    /** @type {Promise<StepList>} */
    const fetched = get(path`/api/runs/${this.run}/games/${this.details.game}/steps?from=${index * WINDOW}&count=${WINDOW}`);
    this.#windows.set(index, fetched);
    // A failed request is repeated the next time.
    fetched.catch(() => this.#windows.delete(index));
    return fetched;
  }
}
