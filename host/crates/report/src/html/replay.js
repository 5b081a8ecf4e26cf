// Shows the games of the table `games` move by move.
import { Board, slideTime } from "./shared/board.js";
import { count } from "./shared/number.js";
import { Playback } from "./shared/playback.js";
import { RecordedGame } from "./recorded_game.js";

const DIRECTIONS = ["↑ up", "→ right", "↓ down", "← left"];

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 */
const find = (id, type) => {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
};

/** The controls and readings of the player, and the game that it shows. */
class Player {
  /**
   * @param {HTMLElement} element
   * @param {HTMLElement[]} rows One per game, with its code.
   */
  constructor(element, rows) {
    this.rows = rows;
    this.side = Number(element.dataset.side);
    this.board = new Board(this.side);
    find("player-board", HTMLElement).append(this.board.element);
    this.slider = find("player-move", HTMLInputElement);
    this.playButton = find("player-play", HTMLButtonElement);
    this.speedChoice = find("player-speed", HTMLSelectElement);
    this.game = this.read(0);
    this.recordedScore = 0;
    this.number = 0;
    this.playback = new Playback({
      speed: () => Number(this.speedChoice.value),
      advance: (nMoves, milliseconds) => {
        this.show(this.number + nMoves, milliseconds);
        return this.number < this.last;
      },
      end: () => this.pause(),
    });
    this.listen();
  }

  get last() {
    return this.game.moves;
  }

  listen() {
    const games = find("player-game", HTMLSelectElement);
    games.addEventListener("change", () => this.open(games.selectedIndex));
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    this.speedChoice.addEventListener("change", () => this.playback.restart());
    this.playButton.addEventListener("click", () => (this.playback.isPlaying ? this.pause() : this.play()));
    /** @type {[string, () => void][]} */
    const buttons = [
      ["player-first", () => this.jump(0)],
      ["player-end", () => this.jump(this.last)],
      ["player-back", () => this.jump(this.number - 1)],
      ["player-forward", () => this.forward()],
    ];
    for (const [id, action] of buttons) find(id, HTMLButtonElement).addEventListener("click", action);
    this.open(games.selectedIndex);
  }

  /** @param {number} index */
  dataOf(index) {
    const row = this.rows[index];
    if (!row) throw new Error(`the page has no game ${index}`);
    return row.dataset;
  }

  /** @param {number} index */
  read(index) {
    const { code = "", moves } = this.dataOf(index);
    return new RecordedGame(code, this.side, Number(moves));
  }

  /** @param {number} index */
  open(index) {
    this.game = this.read(index);
    this.recordedScore = Number(this.dataOf(index).score);
    this.slider.max = String(this.last);
    find("player-last", HTMLElement).textContent = count(this.last);
    this.jump(this.last);
  }

  /** @param {number} number */
  jump(number) {
    this.pause();
    this.show(number, 0);
  }

  forward() {
    this.pause();
    this.show(this.number + 1, slideTime(4));
  }

  /**
   * Shows the position after this many moves.
   * @param {number} wanted
   * @param {number} milliseconds How long its tiles slide where it is the next position.
   */
  show(wanted, milliseconds) {
    const number = Math.max(0, Math.min(this.last, wanted));
    const { cells, score, direction, step } = this.game.at(number);
    if (step && number === this.number + 1) this.board.step(step, cells, milliseconds);
    else this.board.show(cells);
    this.number = number;
    find("player-score", HTMLElement).textContent = count(score);
    find("player-number", HTMLElement).textContent = count(number);
    find("player-highest", HTMLElement).textContent = String(2 ** Math.max(...cells));
    find("player-direction", HTMLElement).textContent = direction === null ? "–" : DIRECTIONS[direction] ?? "–";
    this.slider.value = String(number);
    this.slider.setAttribute("aria-valuetext", `move ${number}, score ${score}`);
    find("player-verdict", HTMLElement).textContent = this.verdict(number, score);
  }

  /**
   * @param {number} number
   * @param {number} score
   */
  verdict(number, score) {
    if (number < this.last) return "";
    if (score === this.recordedScore) return `End of the game. The score matches the record: ${count(score)}.`;
    return `End of the game. The record has a different score, ${count(this.recordedScore)}; verify the run for details.`;
  }

  play() {
    if (this.number >= this.last) this.show(0, 0);
    this.playButton.textContent = "Pause";
    this.playback.play();
  }

  pause() {
    this.playback.pause();
    this.playButton.textContent = "Play";
  }
}

/** @type {NodeListOf<HTMLElement>} */
const found = document.querySelectorAll("#games tr[data-code]");
const rows = [...found];
const player = document.getElementById("player");
if (player && rows.length > 0) {
  new Player(player, rows);
  player.hidden = false;
}
