// The ranking of a run: intervals as a chart, and the figures as a table.
import { element, whole } from "./element.js";

/** The figure agents are ranked by: the mean score, or the rate of reaching the goal. */
const measureOf = (goal) => {
  if (goal === null || goal === undefined) {
    return {
      name: "Mean score",
      of: ({ mean, mean_low: low, mean_high: high }) => ({ middle: mean, low, high }),
      text: (value) => (value < 100 ? value.toFixed(1) : whole(value)),
    };
  }
  const of = ({ reach }) => {
    const { rate, low, high } = reach?.[goal] ?? { rate: 0, low: 0, high: 0 };
    return { middle: rate, low, high };
  };
  return { name: `Reached ${goal}`, of, text: (value) => `${(100 * value).toFixed(1)} %` };
};

/** `confidence` is that of the intervals, such as 0.95. */
export const makeRanking = (agents, goal, confidence) => {
  const measure = measureOf(goal);
  const sureness = `${Number((100 * confidence).toFixed(1))} %`;
  const rows = agents.filter((agent) => agent.games > 0).map((agent) => ({ agent, ...measure.of(agent) }));
  const largest = Math.max(...rows.map((row) => row.high), ...rows.map((row) => row.middle), Number.MIN_VALUE);
  return element("div", { class: "ranking" }, chart(rows, largest, measure, sureness), table(agents, measure, sureness));
};

const chart = (rows, largest, measure, sureness) => element(
  "figure",
  {},
  element("figcaption", {}, `${measure.name} with its ${sureness} interval`),
  element("ol", { class: "rows", role: "list" }, rows.map(({ agent, middle, low, high }) => {
    const whisker = element("span", { class: "whisker" });
    whisker.style.left = `${100 * low / largest}%`;
    whisker.style.width = `${100 * (high - low) / largest}%`;
    const mark = element("span", { class: "mark" });
    mark.style.left = `${100 * middle / largest}%`;
    return element("li", {},
      element("span", { class: "rank" }, String(agent.rank ?? "–")),
      element("span", { class: "name" }, agent.name),
      element("span", { class: "strip", "aria-hidden": "true" }, whisker, mark),
      element("span", { class: "figure" }, measure.text(middle), element("small", {}, ` [${measure.text(low)}, ${measure.text(high)}]`)));
  })),
);

const table = (agents, measure, sureness) => {
  const names = ["#", "May be", "Agent", measure.name, sureness, "Games", "Median", "Best", "Faults"];
  const heads = names.map((name) => element("th", { scope: "col", class: name === "Agent" ? null : "n" }, name));
  const body = element("tbody", {}, agents.map((agent) => row(agent, measure)));
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranking" },
    element("table", {}, element("thead", {}, element("tr", {}, heads)), body),
  );
};

const row = (agent, measure) => {
  const { middle, low, high } = measure.of(agent);
  const nFaults = Object.values(agent.faults ?? {}).reduce((sum, count) => sum + count, 0);
  const figures = agent.games === 0 ? ["–", "–", "0", "–", "–"] : [
    measure.text(middle),
    `${measure.text(low)} – ${measure.text(high)}`,
    agent.few ? `few: ${agent.games}` : whole(agent.games),
    whole(agent.median),
    whole(agent.max),
  ];
  return element(
    "tr",
    { "data-agent": agent.name },
    element("td", { class: "n" }, String(agent.rank ?? "–")),
    element("td", { class: "n" }, placesOf(agent)),
    element("th", { scope: "row" }, agent.name, agent.disqualified ? element("small", { class: "warn" }, "disqualified") : null),
    figures.map((figure) => element("td", { class: "n" }, figure)),
    element("td", { class: nFaults > 0 ? "n warn" : "n" }, whole(nFaults)),
  );
};

const placesOf = ({ rank_best: best, rank_worst: worst }) => (best === worst ? String(best ?? "–") : `${best}–${worst}`);
