// The charts "Seed by seed": a game that the page replays is linked.
import { SeedChart } from "./shared/seed_chart.js";
import { count } from "./shared/number.js";

/**
 * The score of a game, as a link where the page replays it.
 * @param {string} seed
 * @param {string} agent
 * @param {number | null} score
 * @param {string | undefined} budget
 */
const gameOf = (seed, agent, score, budget) => {
  const text = `${agent} ${count(score ?? 0)}`;
  /** @type {HTMLElement[]} */
  const replayed = [...document.querySelectorAll("#games tr[data-code]")].filter((row) => row instanceof HTMLElement);
  const index = replayed.findIndex(({ dataset }) => dataset.agent === agent && dataset.seed === seed && dataset.budget === budget);
  if (index < 0) return text;
  const link = document.createElement("a");
  link.href = "#replay";
  link.textContent = text;
  link.addEventListener("click", () => {
    const games = document.getElementById("player-game");
    if (!(games instanceof HTMLSelectElement)) return;
    games.selectedIndex = index;
    games.dispatchEvent(new Event("change"));
  });
  return link;
};

/** @type {NodeListOf<HTMLElement>} */
const seedChoices = document.querySelectorAll(".seed-choice");
for (const choice of seedChoices) {
  const { budget } = choice.dataset;
  new SeedChart(choice, ({ seed, one, other }, [first, second]) =>
    [`seed ${seed}: `, gameOf(seed, first, one, budget), ", ", gameOf(seed, second, other, budget)]);
}
