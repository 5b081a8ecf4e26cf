// Which agent leads, and in what: the score, the highest tile, the room on its board.
import { element } from "../dom/element.js";
import { count } from "../shared/number.js";

/** @typedef {{ name: string, score: number, moves: string, highest: number, nEmpty: number }} ComparedGame */

/**
 * The game with the highest score; null if several share it or no move has been made.
 * @template {Pick<ComparedGame, "score" | "moves">} Game
 * @param {Game[]} games
 * @returns {Game | null}
 */
export const leaderOf = (games) => {
  const [first, second] = [...games].sort((one, other) => other.score - one.score);
  const hasMoves = games.some((game) => game.moves !== "");
  return first && second && hasMoves && first.score > second.score ? first : null;
};

/**
 * Scores of games in step are nearly equal, so the sentence is about the boards.
 * @param {ComparedGame[]} games
 */
export const comparisonInWords = (games) => {
  if (games.every((game) => game.moves === "")) return "All agents play the same tiles, move by move.";
  // In the order of the boards: a sentence that reorders itself cannot be read.
  const [first] = games;
  const isSame = games.every((game) => game.highest === first?.highest);
  const tiles = isSame
    ? `${games.length === 2 ? "Both" : "All"} have ${count(first?.highest ?? 0)}`
    : `Highest tile: ${games.map(({ name, highest }) => `${name} ${count(highest)}`).join(", ")}`;
  return `${tiles}. Empty cells: ${games.map(({ name, nEmpty }) => `${name} ${nEmpty}`).join(", ")}.`;
};

export class Comparison {
  constructor() {
    this.element = element("p", { id: "comparison", class: "comparison", hidden: true });
  }

  /** @param {(ComparedGame & { element: HTMLElement })[]} games */
  set(games) {
    this.element.hidden = games.length < 2;
    this.element.textContent = comparisonInWords(games);
    const leader = leaderOf(games);
    for (const game of games) game.element.classList.toggle("leads", game === leader);
  }
}
