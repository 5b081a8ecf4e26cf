// Which agent leads, and at which move the games begin to differ.
import { element } from "../dom/element.js";
import { count } from "../../../report/html/number.js";
import { firstDifference } from "./first_difference.js";

/** @typedef {{ name: string, score: number, moves: string }} ComparedGame */

/**
 * The game with the highest score; null if several share it or no move has been made.
 * @template {ComparedGame} Game
 * @param {Game[]} games
 * @returns {Game | null}
 */
export const leaderOf = (games) => {
  const [first, second] = byScore(games);
  const hasMoves = games.some((game) => game.moves !== "");
  return first && second && hasMoves && first.score > second.score ? first : null;
};

/**
 * @template {ComparedGame} Game
 * @param {Game[]} games
 */
const byScore = (games) => [...games].sort((one, other) => other.score - one.score);

/** @param {ComparedGame[]} games */
export const comparisonInWords = (games) => {
  const [first, second] = byScore(games);
  if (!first || !second || games.every((game) => game.moves === "")) return "All agents play the same tiles, move by move.";
  const lead = first.score - second.score;
  const leader = lead === 0 ? `${first.name} and ${second.name} are tied` : `${first.name} leads by ${count(lead)}`;
  const difference = firstDifference(games.map((game) => game.moves));
  const moves = difference === null ? "so far all moves are the same" : `the games differ from move ${count(difference)}`;
  return `${leader}; ${moves}.`;
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
