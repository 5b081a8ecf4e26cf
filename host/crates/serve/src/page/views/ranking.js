// The ranking of a run: a chart of the intervals and a table of the figures.
import { element, nameIn } from "../dom/element.js";
import { NONE, amount, count, percent, percentWithDigits } from "../shared/number.js";
import { extremeLinks } from "../games/extreme_links.js";
import { makeSparkline } from "./sparkline.js";
/** @import { HistoryPoint, RankedAgent, Report } from "../net/server_json.js" */

/**
 * A figure with its interval. The interval is missing after very few games.
 * @typedef {{ middle: number, low: number | null, high: number | null }} Estimate
 */

/**
 * What agents are ranked by: the mean score, or the share of games that reached the goal.
 * @typedef {object} RankingMeasure
 * @property {string} name
 * @property {(agent: RankedAgent) => Estimate} of
 * @property {(value: number) => string} text
 */

/**
 * @param {number | null} goal
 * @returns {RankingMeasure}
 */
export const measureOf = (goal) => {
  if (goal === null) {
    return {
      name: "Mean score",
      of: ({ mean, mean_low: low, mean_high: high }) => ({ middle: mean ?? 0, low, high }),
      text: amount,
    };
  }
  return {
    name: `Reached ${goal}`,
    of: ({ reach }) => {
      const { rate, low, high } = reach[goal] ?? { rate: 0, low: 0, high: 0 };
      return { middle: rate, low, high };
    },
    text: percent,
  };
};

/**
 * @param {RankedAgent[]} agents
 * @param {Pick<Report, "goal" | "confidence">} report
 * @param {Map<string, HistoryPoint[]>} histories by the name of the agent
 * @param {{ run: string, budget: string }} place the run, and the budget if it has several
 */
export const makeRanking = (agents, { goal, confidence }, histories, place) => {
  const measure = measureOf(goal);
  const level = percentWithDigits(confidence);
  return element("div", { class: "ranking" }, makeChart(agents, measure, level, histories), makeTable(agents, measure, level, place));
};

/**
 * @param {RankedAgent[]} agents
 * @param {RankingMeasure} measure
 * @param {string} level
 * @param {Map<string, HistoryPoint[]>} histories
 */
const makeChart = (agents, measure, level, histories) => {
  const rows = agents.filter((agent) => agent.games > 0).map((agent) => ({ agent, estimate: measure.of(agent) }));
  const largest = Math.max(...rows.map(({ estimate }) => estimate.high ?? estimate.middle), Number.MIN_VALUE);
  return element(
    "figure",
    {},
    element("figcaption", {}, `${measure.name} with its ${level} interval, and how it has developed game by game`),
    element("ol", { class: "rows", role: "list" }, rows.map(({ agent, estimate }) => element("li", {},
      element("span", { class: "rank" }, String(agent.rank ?? NONE)),
      element("span", { class: "name", title: agent.name }, agent.name),
      element("span", { class: "strip", "aria-hidden": "true" }, makeMarks(estimate, largest)),
      makeSparkline(histories.get(agent.name) ?? []),
      element("span", { class: "figure" }, measure.text(estimate.middle), makeInterval(estimate, measure))))),
  );
};

/**
 * The interval as a line and the figure as a dot.
 * @param {Estimate} estimate
 * @param {number} largest the end of the scale
 */
const makeMarks = ({ middle, low, high }, largest) => {
  const mark = element("span", { class: "mark" });
  mark.style.left = `${100 * middle / largest}%`;
  if (low === null || high === null) return [mark];
  const whisker = element("span", { class: "whisker" });
  whisker.style.left = `${100 * low / largest}%`;
  whisker.style.width = `${100 * (high - low) / largest}%`;
  return [whisker, mark];
};

/**
 * @param {Estimate} estimate
 * @param {RankingMeasure} measure
 */
const makeInterval = ({ low, high }, measure) =>
  low === null || high === null ? null : element("small", {}, ` [${measure.text(low)}, ${measure.text(high)}]`);

/**
 * @param {RankedAgent[]} agents
 * @param {RankingMeasure} measure
 * @param {string} level
 * @param {{ run: string, budget: string }} place
 */
const makeTable = (agents, measure, level, place) => {
  const names = ["#", "Rank range", "Agent", measure.name, level, "Games", "Median", "Best", "Faults"];
  const heads = names.map((name) => element("th", { scope: "col", class: name === "Agent" ? null : "n" }, name));
  const body = element("tbody", {}, agents.map((agent) => makeRow(agent, measure, place)));
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": `Ranking of ${place.run} ${place.budget}` },
    element("table", {}, element("thead", {}, element("tr", {}, heads)), body),
  );
};

/**
 * @param {RankedAgent} agent
 * @param {RankingMeasure} measure
 * @param {{ run: string, budget: string }} place
 */
const makeRow = (agent, measure, { run, budget }) => {
  const nFaults = Object.values(agent.faults).reduce((sum, number) => sum + number, 0);
  return element(
    "tr",
    { "data-agent": agent.name },
    element("td", { class: "n" }, String(agent.rank ?? NONE)),
    element("td", { class: "n" }, rankRange(agent)),
    element("th", { scope: "row" }, nameIn(agent.name), agent.disqualified ? element("small", { class: "warn" }, "disqualified") : null,
      agent.games < 2 ? null : element("small", {}, extremeLinks(run, { agent: agent.name, budget: budget === "" ? null : budget }))),
    figuresOf(agent, measure).map((figure) => element("td", { class: "n" }, figure)),
    element("td", { class: nFaults > 0 ? "n warn" : "n" }, count(nFaults)),
  );
};

/**
 * The figures of an agent in the order of the columns.
 * @param {RankedAgent} agent
 * @param {RankingMeasure} measure
 */
export const figuresOf = (agent, measure) => {
  if (agent.games === 0) return [NONE, NONE, "0", NONE, NONE];
  const { middle, low, high } = measure.of(agent);
  return [
    measure.text(middle),
    low === null || high === null ? NONE : `${measure.text(low)} – ${measure.text(high)}`,
    agent.few ? `${count(agent.games)} (n < 30)` : count(agent.games),
    agent.median === null ? NONE : amount(agent.median),
    agent.max === null ? NONE : count(agent.max),
  ];
};

/**
 * `2`, or `1–3` if the rank is uncertain.
 * @param {Pick<RankedAgent, "rank_best" | "rank_worst">} agent
 */
export const rankRange = ({ rank_best: best, rank_worst: worst }) => {
  if (best === null || worst === null) return NONE;
  return best === worst ? String(best) : `${best}–${worst}`;
};
