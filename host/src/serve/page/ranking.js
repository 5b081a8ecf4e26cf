// The ranking of a run: intervals as a chart, and the figures as a table.
import { element, whole } from "./element.js";

/** The figure agents are ranked by: the mean score, or the rate of reaching the goal. */
const measureOf = (goal) => {
  if (goal === null || goal === undefined) {
    return { name: "Mean score", of: ({ mean, mean_low: low, mean_high: high }) => ({ middle: mean, low, high }), text: (value) => (value < 100 ? value.toFixed(1) : whole(value)) };
  }
  const of = ({ reach }) => {
    const { rate, low, high } = reach?.[goal] ?? { rate: 0, low: 0, high: 0 };
    return { middle: rate, low, high };
  };
  return { name: `Reached ${goal}`, of, text: (value) => `${(100 * value).toFixed(1)} %` };
};

export const makeRanking = (agents, goal) => {
  const measure = measureOf(goal);
  const rows = agents.filter((agent) => agent.games > 0).map((agent) => ({ agent, ...measure.of(agent) }));
  const largest = Math.max(...rows.map((row) => row.high), ...rows.map((row) => row.middle), Number.MIN_VALUE);
  return element("div", { class: "ranking" }, chart(rows, largest, measure), table(agents, measure));
};

const chart = (rows, largest, measure) => element(
  "figure",
  {},
  element("figcaption", {}, `${measure.name} with its 95 % interval`),
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

const table = (agents, measure) => {
  const heads = [["#", "n"], ["May be", "n"], ["Agent", null], [measure.name, "n"], ["95 %", "n"], ["Games", "n"], ["Median", "n"], ["Best", "n"], ["Faults", "n"]];
  const body = agents.map((agent) => {
    const { middle, low, high } = measure.of(agent);
    const places = agent.rank_best === agent.rank_worst ? `${agent.rank_best ?? "–"}` : `${agent.rank_best}–${agent.rank_worst}`;
    const nFaults = Object.values(agent.faults ?? {}).reduce((sum, count) => sum + count, 0);
    const figures = agent.games === 0 ? ["–", "–", "0", "–", "–"] : [measure.text(middle), `${measure.text(low)} – ${measure.text(high)}`, agent.few ? `few: ${agent.games}` : whole(agent.games), whole(agent.median), whole(agent.max)];
    return element("tr", { "data-agent": agent.name },
      element("td", { class: "n" }, String(agent.rank ?? "–")),
      element("td", { class: "n" }, places),
      element("th", { scope: "row" }, agent.name, agent.disqualified ? element("small", { class: "warn" }, "disqualified") : null),
      figures.map((figure) => element("td", { class: "n" }, figure)),
      element("td", { class: nFaults > 0 ? "n warn" : "n" }, whole(nFaults)));
  });
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranking" },
    element("table", {}, element("thead", {}, element("tr", {}, heads.map(([name, kind]) => element("th", { scope: "col", class: kind }, name)))), element("tbody", {}, body)));
};
