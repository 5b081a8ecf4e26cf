// Why an agent loses: how its games end, how far it gets from each tile, and where its time goes.
import { element, nameIn } from "../dom/element.js";
import { NONE, count, decimals, microseconds, percent } from "../shared/number.js";
/** @import { EmptyCellsTime, GameEnds, RankedAgent } from "../net/server_json.js" */

/** @typedef {RankedAgent & { ends: GameEnds }} AgentWithEnds */

/**
 * The highest tile of most games, and their share; the higher of two tiles; null without games.
 * @param {GameEnds} ends
 */
export const usualHighest = ({ highest }) => {
  const entries = Object.entries(highest).map(([tile, games]) => ({ tile: Number(tile), games }));
  const total = entries.reduce((sum, { games }) => sum + games, 0);
  const [most] = entries.sort((one, other) => other.games - one.games || other.tile - one.tile);
  return most === undefined || total === 0 ? null : { tile: most.tile, share: most.games / total };
};

/**
 * The median of numbers of moves: whole, or with the half between two of them, as in the report.
 * @param {number} median
 */
const medianText = (median) => decimals(median, Number.isInteger(median) || median >= 100 ? 0 : 1);

/**
 * The time per move on a crowded board as a multiple of that on any other; null if either is unknown.
 * @param {EmptyCellsTime[]} times
 */
export const crowdedFactor = (times) => {
  /** @param {boolean} isCrowded */
  const mean = (isCrowded) => {
    const meant = times.filter(({ crowded }) => crowded === isCrowded);
    const turns = meant.reduce((sum, one) => sum + one.turns, 0);
    return turns === 0 ? null : meant.reduce((sum, one) => sum + one.turns * one.cpu_us_per_turn, 0) / turns;
  };
  const [crowded, roomy] = [mean(true), mean(false)];
  return crowded === null || roomy === null || roomy === 0 ? null : crowded / roomy;
};

/**
 * @param {RankedAgent[]} agents
 * @param {string} origin what the games belong to, as a person would say it
 */
export const makeGameEnds = (agents, origin) => {
  /** @type {AgentWithEnds[]} */
  const known = agents.flatMap((agent) => (agent.ends === undefined || agent.games === 0 ? [] : [{ ...agent, ends: agent.ends }]));
  if (known.length === 0) return [];
  return [
    element("h3", {}, "How games end"),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": `How the games of ${origin} end` },
      element("table", { class: "ends" }, element("thead", {}, element("tr", {}, HEADS.map(({ name, help }, index) =>
        element("th", { scope: "col", class: index > 0 ? "n" : null, title: help }, name)))), element("tbody", {}, known.map(makeRow))),
    ),
    element("h3", {}, "From each tile to the next"),
    element("p", { class: "meta" }, "Of the games that made the tile before, the share that made this one. The first short bar is where an agent fails."),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": `From each tile to the next: ${origin}` },
      makeSteps(known),
    ),
  ];
};

const HEADS = [
  { name: "Agent", help: "" },
  { name: "Most often at", help: "the highest tile of most games" },
  { name: "Moves", help: "the median" },
  { name: "Since highest", help: "moves between the last new highest tile and the end of a lost game, the median" },
  { name: "Crowded for", help: "moves at the end of a lost game with fewer than a quarter of the cells empty, the median" },
  { name: "Lost within 100", help: "share of lost games that ended within 100 moves of a new highest tile" },
  { name: "Time, crowded", help: "CPU time per move with fewer than a quarter of the cells empty, compared with other moves" },
];

/** @param {AgentWithEnds} agent */
const makeRow = ({ name, ends, move_us_by_empty: times }) => {
  const usual = usualHighest(ends);
  const factor = crowdedFactor(times ?? []);
  const within = ends.lost_within["100"];
  const figures = [
    usual === null ? NONE : `${count(usual.tile)} (${percent(usual.share)})`,
    ...[ends.moves, ends.since_highest, ends.crowded_moves].map((quartiles) => (quartiles === null ? NONE : medianText(quartiles.median))),
    within === undefined ? NONE : percent(within.rate),
    factor === null ? NONE : `× ${factor < 10 ? factor.toFixed(1) : count(factor)}`,
  ];
  return element("tr", {}, element("th", { scope: "row" }, nameIn(name)), figures.map((figure) => element("td", { class: "n" }, figure)));
};

/**
 * One column per tile, without those that every agent makes in every game.
 * @param {AgentWithEnds[]} agents
 */
const makeSteps = (agents) => {
  const all = [...new Set(agents.flatMap(({ ends }) => Object.keys(ends.next_tile)))].map(Number).sort((one, other) => one - other);
  const first = all.findIndex((tile) => agents.some(({ ends }) => (ends.next_tile[tile]?.rate ?? 1) < 1));
  const tiles = all.slice(Math.max(0, first));
  return element(
    "table",
    { class: "steps" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Agent"), tiles.map((tile) => element("th", { scope: "col", class: "n" }, count(tile))))),
    element("tbody", {}, agents.map(({ name, ends, move_us_by_empty: times }) => {
      const slowest = Math.max(0, ...(times ?? []).map((one) => one.cpu_us_per_turn));
      return element(
        "tr",
        {},
        element("th", { scope: "row", title: slowest > 0 ? `up to ${microseconds(slowest)} of CPU time per move on average` : null }, nameIn(name)),
        tiles.map((tile) => makeStep(ends.next_tile[tile]?.rate ?? null)),
      );
    })),
  );
};

/** @param {number | null} rate null if no game made the tile before */
const makeStep = (rate) => {
  if (rate === null) return element("td", { class: "n" }, NONE);
  const bar = element("span", { class: "bar" });
  bar.style.width = `${100 * rate}%`;
  return element("td", { class: "n" }, percent(rate), element("span", { class: "track", "aria-hidden": "true" }, bar));
};
