// The clock of a replay, on the report page and the page of `host serve`: how many moves are due
// while a game plays.
import { slideTime } from "./board.js";

export class Playback {
  #frame = 0;
  /** When the next move is due, in the time of `performance.now()`. */
  #due = 0;

  /**
   * @param {object} replay
   * @param {() => number} replay.speed Moves per second.
   * @param {(nMoves: number, milliseconds: number) => boolean | Promise<boolean>} replay.advance
   *   Shows the position so many moves later, whose tiles may slide so long; says whether more follow.
   * @param {() => void} replay.end Called after the last move.
   */
  constructor({ speed, advance, end }) {
    this.speed = speed;
    this.advance = advance;
    this.end = end;
  }

  get isPlaying() {
    return this.#frame !== 0;
  }

  play() {
    this.restart();
    this.#frame = requestAnimationFrame((now) => void this.#tick(now));
  }

  /** The next move is due after its full time, as when the speed has changed. */
  restart() {
    this.#due = performance.now();
  }

  pause() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** @param {number} now */
  async #tick(now) {
    const [speed, frame] = [this.speed(), this.#frame];
    const nMoves = Math.floor((now - this.#due) * speed / 1000);
    let hasMore = true;
    if (nMoves > 0) {
      this.#due += nMoves * 1000 / speed;
      hasMore = await this.advance(nMoves, nMoves === 1 ? slideTime(speed) : 0);
      // Time spent waiting is not made up for by a jump.
      this.#due = Math.max(this.#due, performance.now() - 1000 / speed - 50);
    }
    // Meanwhile the replay may have been paused, and started again.
    if (this.#frame !== frame) return;
    if (hasMore) {
      this.#frame = requestAnimationFrame((later) => void this.#tick(later));
    } else {
      this.pause();
      this.end();
    }
  }
}
