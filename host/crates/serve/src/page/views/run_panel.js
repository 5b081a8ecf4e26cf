// One run that is followed: its progress every second, and its ranking as it develops.
import { announce } from "../dom/announcements.js";
import { element } from "../dom/element.js";
import { endingSentence } from "../games/ending_note.js";
import { path } from "../net/api.js";
import { openStream } from "../net/event_stream.js";
import { budgetInWords } from "../text/budget_label.js";
import { count, counted } from "../shared/number.js";
import { makeGameEnds } from "./game_ends.js";
import { gamesOf, gamesPerSecond, timeLeftInWords } from "./progress.js";
import { PairScatter } from "./pair_scatter.js";
import { makeRanking } from "./ranking.js";
/** @import { FaultExample, MeanHistory, RankedAgent, RunProgress, RunRanking } from "../net/server_json.js" */
/** @import { ProgressSample } from "./progress.js" */

/** @typedef {"running" | "finished" | "interrupted"} RunState */

/**
 * @param {RunProgress} progress
 * @param {RunRanking | null} ranking
 * @returns {RunState}
 */
const stateOf = ({ running, recorded, planned }, ranking) => {
  if (running) return "running";
  return recorded >= planned || ranking?.finished ? "finished" : "interrupted";
};

/**
 * How many games have been played. A run may be finished with fewer games than planned.
 * @param {RunProgress} progress
 * @param {RunRanking | null} ranking
 */
export const progressInWords = (progress, ranking) => {
  const { recorded, planned } = progress;
  if (stateOf(progress, ranking) !== "finished" || recorded >= planned) return gamesOf(progress);
  if (ranking?.report.agents.some((agent) => agent.disqualified)) {
    return `${count(recorded)} of at most ${counted(planned, "game")}; disqualified agents stopped playing`;
  }
  return `${counted(recorded, "game")} ${recorded === 1 ? "was" : "were"} enough, of at most ${count(planned)}`;
};

export class RunPanel {
  /** @type {RunProgress | null} */
  #progress = null;
  /** @type {RunRanking | null} */
  #ranking = null;
  /** @type {ProgressSample[]} */
  #samples = [];

  /**
   * @param {string} run
   * @param {HTMLElement | null} removeLink shown beside the name, if several runs are followed
   */
  constructor(run, removeLink) {
    this.run = run;
    this.name = element("h2", {}, run);
    this.badge = element("span", { class: "badge run-state" });
    this.bar = element("progress", { "aria-label": `Games played of ${run}` });
    this.count = element("span", { class: "meta run-count" });
    this.rate = element("span", { class: "meta run-rate" });
    this.links = element("p");
    this.latestFaults = element("div", { class: "latest-faults", hidden: true });
    this.rankingArea = element("div", { class: "run-ranking" });
    this.scatter = new PairScatter(run);
    this.message = element("p", { class: "message", role: "alert", hidden: true });
    this.element = element(
      "section",
      { class: "run", "aria-label": run },
      element("div", { class: "title" }, this.name, this.badge, removeLink),
      element("div", { class: "progress" }, this.bar, this.count, this.rate),
      this.links, this.message, this.latestFaults, this.rankingArea, this.scatter.element,
    );
    const handlers = {
      progress: (/** @type {RunProgress} */ progress) => this.#onProgress(progress),
      ranking: (/** @type {RunRanking} */ ranking) => this.#onRanking(ranking),
    };
    this.close = openStream(path`/api/runs/${run}/events`, handlers, () => {
      this.message.replaceChildren("Run not found in the folders given to ", element("code", {}, "host serve"), ".");
      this.message.hidden = false;
      this.badge.hidden = true;
      this.bar.hidden = true;
    });
  }

  /** @param {RunProgress} progress */
  #onProgress(progress) {
    const wasRunning = this.#progress?.running ?? false;
    this.#progress = progress;
    this.#samples = [...this.#samples.slice(-59), { at: performance.now(), recorded: progress.recorded }];
    this.name.textContent = progress.name;
    this.#show(progress);
    this.#showFaults(progress);
    if (wasRunning && !progress.running) announce(`The tournament ${progress.name} is ${stateOf(progress, this.#ranking)}.`);
  }

  /** @param {RunRanking} ranking */
  #onRanking(ranking) {
    this.#ranking = ranking;
    if (this.#progress !== null) this.#show(this.#progress);
    showReport(this.rankingArea, this.run, ranking);
    this.scatter.setAgents(new Set(ranking.report.agents.map(({ name }) => name)).size);
  }

  /**
   * Faults as they happen. Once the run has ended, the ranking lists the first of each kind.
   * @param {RunProgress} progress
   */
  #showFaults({ running, n_faults: nFaults, latest_faults: faults }) {
    this.latestFaults.hidden = !running || nFaults === 0;
    if (this.latestFaults.dataset.count === String(nFaults)) return;
    this.latestFaults.dataset.count = String(nFaults);
    this.latestFaults.replaceChildren(
      element("h3", {}, nFaults > faults.length ? `The latest of ${counted(nFaults, "fault")}` : counted(nFaults, "fault")),
      element("ul", { role: "list" }, faults.map(({ agent, game, seed, n_moves: nMoves, ending }) => element(
        "li",
        {},
        endingSentence(agent, ending),
        ` (seed ${seed}, after ${counted(nMoves, "move")}) `,
        element("a", { href: `#replay/${encodeURIComponent(this.run)}/${game}@${nMoves}` }, "Replay"),
      ))),
    );
  }

  /** @param {RunProgress} progress */
  #show(progress) {
    const { running, recorded, planned } = progress;
    const state = stateOf(progress, this.#ranking);
    this.message.hidden = true;
    this.badge.hidden = false;
    this.bar.hidden = false;
    this.badge.textContent = state;
    this.badge.classList.toggle("on", running);
    this.element.dataset.state = state;
    this.bar.max = Math.max(1, state === "finished" ? recorded : planned);
    this.bar.value = recorded;
    this.count.textContent = progressInWords(progress, this.#ranking);
    this.rate.textContent = running ? timeLeftInWords(progress, this.#ranking, gamesPerSecond(this.#samples)) : "";
    this.links.replaceChildren(
      ...(running ? [] : [
        element("a", { class: "report", href: path`/runs/${this.run}/report.html` }, "Report"),
        " with distributions, tiles, pairs and times · ",
      ]),
      element("a", { href: `#replay/${encodeURIComponent(this.run)}` }, "Replay its games"),
    );
  }
}

/**
 * Replaces the whole report, but keeps focus and scroll positions.
 * @param {HTMLElement} area
 * @param {string} run
 * @param {RunRanking} ranking
 */
const showReport = (area, run, { report, recorded, histories }) => {
  const focusable = () => [...area.querySelectorAll("[tabindex], a")].filter((it) => it instanceof HTMLElement);
  const scrolled = [...area.querySelectorAll(".scroll")].map((part) => part.scrollLeft);
  const focused = focusable().findIndex((it) => it === document.activeElement);
  const budgets = [...new Set(report.agents.map((agent) => agent.budget ?? ""))];
  area.replaceChildren(
    element("p", { class: "meta ranked-games" }, `Ranking after ${counted(recorded, "game")}`),
    ...budgets.map((budget) => element("section", { "data-budget": budget },
      budgets.length > 1 ? element("h3", {}, `Budget ${budgetInWords(budget)}`) : null,
      makeRanking(report.agents.filter((agent) => (agent.budget ?? "") === budget), report, historiesOf(histories, budget), { run, budget: budgets.length > 1 ? budget : "" }),
      makeGameEnds(report.agents.filter((agent) => (agent.budget ?? "") === budget), budgets.length > 1 ? `${run}, ${budgetInWords(budget)},` : run))),
    ...faultSection(run, report.agents),
    ...noteSection(report.notes),
  );
  [...area.querySelectorAll(".scroll")].forEach((part, index) => { part.scrollLeft = scrolled[index] ?? 0; });
  if (focused >= 0) focusable()[focused]?.focus();
};

/**
 * The curves of the agents under a budget, by their names.
 * @param {MeanHistory[]} histories
 * @param {string} budget
 */
const historiesOf = (histories, budget) =>
  new Map(histories.filter((history) => (history.budget ?? "") === budget).map((history) => [history.agent, history.points]));

/**
 * @param {string} run
 * @param {RankedAgent[]} agents
 */
const faultSection = (run, agents) => {
  const examples = agents.flatMap((agent) => agent.fault_examples);
  if (examples.length === 0) return [];
  return [
    element("h3", {}, "Faults"),
    element("p", { class: "meta" }, "The first fault of each kind, per agent."),
    element("ul", { class: "faults", role: "list" }, examples.map((example) => faultCard(run, example))),
  ];
};

/**
 * @param {string} run
 * @param {FaultExample} example
 */
const faultCard = (run, { agent, game, seed, sentence, n_moves: nMoves, stderr, again }) => element(
  "li",
  { class: "ending fault" },
  element(
    "p",
    {},
    element("strong", {}, agent),
    ` ${sentence} (seed ${seed}, after ${counted(nMoves, "move")})`,
  ),
  stderr.length === 0 ? null : element("pre", {}, stderr.join("\n")),
  element(
    "p",
    { class: "meta" },
    element("a", { href: `#replay/${encodeURIComponent(run)}/${game}` }, "Replay"),
    again === null ? null : [" · ", element("code", {}, again)],
  ),
);

/** @param {string[]} notes */
const noteSection = (notes) => notes.length === 0 ? [] : [
  element("h3", {}, "Notes"),
  element("ul", { class: "notes", role: "list" }, notes.map((text) => element("li", {}, text.replace(/^budget [^:]*:/, budgetInWords)))),
];
