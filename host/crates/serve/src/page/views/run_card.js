// A run at a glance: its state and date, its best agents, and where to go from there.
import { element } from "../dom/element.js";
import { get } from "../net/api.js";
import { counted } from "../shared/number.js";
import { budgetInWords } from "../text/budget_label.js";
import { extremeAddress } from "../text/replay_address.js";
import { gamesOf } from "./progress.js";
/** @import { Run, Standing } from "../net/server_json.js" */

// A list of more runs shows the results of the latest.
const MOST_RESULTS = 12;

/**
 * The results of the latest runs in short, by their identifiers.
 * @param {Run[]} runs
 * @returns {Promise<Record<string, Standing>>}
 */
export const standingsOf = (runs) => {
  const wanted = runs.filter(({ recorded }) => recorded > 0).slice(0, MOST_RESULTS).map(({ id }) => encodeURIComponent(id));
  return wanted.length === 0 ? Promise.resolve({}) : get(`/api/standings?runs=${wanted.join(",")}`);
};

/**
 * @param {Run} run
 * @param {Standing | undefined} standing
 */
const stateOf = ({ running, recorded }, standing) => {
  if (running) return "running";
  if (standing === undefined) return recorded === 0 ? "interrupted" : "";
  return standing.finished ? "finished" : "interrupted";
};

/** @param {number | null} milliseconds */
const dateInWords = (milliseconds) => (milliseconds === null ? "" : new Date(milliseconds).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }));

/**
 * What was played: `6 agents × 30 seeds · 500 µs`.
 * @param {Standing} standing
 */
const sizeInWords = ({ n_agents: nAgents, n_seeds: nSeeds, budget }) =>
  [`${counted(nAgents, "agent")} × ${counted(nSeeds, "seed")}`, ...(budget === null ? [] : [budgetInWords(budget)])].join(" · ");

/**
 * The best agents with their means; whiskers are the intervals.
 * @param {Standing} standing
 */
export const podium = ({ agents }) => {
  const end = Math.max(...agents.map(({ value, interval }) => interval?.high ?? value), Number.MIN_VALUE);
  const percent = (/** @type {number} */ value) => `${100 * value / end}%`;
  return element("ol", { class: "podium", role: "list" }, agents.map(({ name, rank, text, value, interval }) => {
    const dot = element("span", { class: "dot" });
    dot.style.left = percent(value);
    const whisker = element("span", { class: "range" });
    whisker.style.left = percent(interval?.low ?? value);
    whisker.style.width = percent((interval?.high ?? value) - (interval?.low ?? value));
    return element("li", {},
      element("span", { class: "rank" }, String(rank)), element("b", { class: "name", title: name }, name),
      element("span", { class: "forest", "aria-hidden": "true" }, whisker, dot), element("span", { class: "figure" }, text));
  }));
};

/**
 * @param {Run} run
 * @param {Standing} [standing]
 */
export const runCard = (run, standing) => {
  const state = stateOf(run, standing);
  const best = standing?.agents[0];
  return element("section", { class: "run-card", "aria-label": run.name },
    element("div", { class: "title" },
      element("h2", {}, element("a", { href: `#follow/${encodeURIComponent(run.id)}` }, run.name)),
      state === "" ? null : element("span", { class: `badge${run.running ? " on" : ""}` }, state)),
    element("p", { class: "meta" }, [
      dateInWords(run.changed), standing === undefined ? "" : sizeInWords(standing), run.running || state === "interrupted" ? gamesOf(run) : counted(run.recorded, "game"),
    ].filter((part) => part !== "").join(" · ")),
    standing === undefined || best === undefined ? null : podium(standing),
    standing !== undefined && standing.n_agents > standing.agents.length
      ? element("p", { class: "meta" }, `and ${counted(standing.n_agents - standing.agents.length, "more agent")}`) : null,
    state === "interrupted" ? element("p", { class: "meta" }, "Interrupted: the same ", element("code", {}, "host run"), " command goes on.") : null,
    element("p", { class: "card-links" },
      best === undefined ? null : element("a", { href: extremeAddress(run.id, { order: "best", agent: best.name, budget: null }) }, `Best game of ${best.name}`),
      run.recorded === 0 || run.running ? null : element("a", { href: `/runs/${encodeURIComponent(run.id)}/report.html` }, "Report"),
      element("span", { class: "meta folder" }, run.folder)));
};

