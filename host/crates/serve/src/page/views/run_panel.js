// One run that is followed: its progress every second, and its ranking as it develops.
import { announce } from "../dom/announcements.js";
import { element } from "../dom/element.js";
import { hostMarkup, replaceKeeping } from "../dom/fragment.js";
import { endingSentence } from "../games/ending_note.js";
import { path } from "../net/api.js";
import { openStream } from "../net/event_stream.js";
import { count, counted } from "../shared/number.js";
import { SeedChart } from "../shared/seed_chart.js";
import { gamesOf, gamesPerSecond, timeLeftInWords } from "./progress.js";
/** @import { SeedPair } from "../shared/seed_chart.js" */
/** @import { RunProgress, RunRanking } from "../net/server_json.js" */
/** @import { ProgressSample } from "./progress.js" */

/** @typedef {"running" | "finished" | "interrupted"} RunState */

/**
 * @param {RunProgress} progress
 * @param {RunRanking | null} ranking
 * @returns {RunState}
 */
const stateOf = ({ running, recorded, planned }, ranking) => {
  if (running) return "running";
  return recorded >= planned || ranking?.missing === 0 ? "finished" : "interrupted";
};

/**
 * How many games have been played. A run may be finished with fewer games than planned.
 * @param {RunProgress} progress
 * @param {RunRanking | null} ranking
 */
export const progressInWords = (progress, ranking) => {
  const { recorded, planned } = progress;
  if (stateOf(progress, ranking) !== "finished" || recorded >= planned) return gamesOf(progress);
  if (ranking?.has_disqualified) {
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
    this.message = element("p", { class: "message", role: "alert", hidden: true });
    this.element = element(
      "section",
      { class: "run", "aria-label": run },
      element("div", { class: "title" }, this.name, this.badge, removeLink),
      element("div", { class: "progress" }, this.bar, this.count, this.rate),
      this.links, this.message, this.latestFaults, this.rankingArea,
    );
    const handlers = {
      progress: (/** @type {RunProgress} */ progress) => this.#onProgress(progress),
      ranking: (/** @type {RunRanking} */ ranking) => this.#onRanking(ranking),
    };
    this.close = openStream(path`/api/runs/${run}/events`, handlers, () => {
      this.message.replaceChildren("Run not found in the folders that this server shows.");
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
    replaceKeeping(this.rankingArea, [
      element("p", { class: "meta ranked-games" }, `Ranking after ${counted(ranking.recorded, "game")}`),
      ...hostMarkup(ranking.html),
    ]);
    /** @type {NodeListOf<HTMLElement>} */
    const choices = this.rankingArea.querySelectorAll(".seed-choice");
    for (const choice of choices) new SeedChart(choice, seedLine(this.run));
  }

  /**
   * Faults as they happen. Once the run has ended, the report shows the first of each kind.
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
        " as a page to keep · ",
      ]),
      element("a", { href: `#replay/${encodeURIComponent(this.run)}` }, "Replay its games"),
    );
  }
}

/**
 * What the list of the games that differ most says about a seed.
 * @param {string} run
 * @returns {(pair: SeedPair, names: [string, string]) => (string | Node)[]}
 */
const seedLine = (run) => ({ seed, one, other, games }, [first, second]) => [
  element("a", { href: `#replay/${encodeURIComponent(run)}/${games.join("/")}` }, `seed ${seed}`),
  `: ${first} ${count(one ?? 0)}, ${second} ${count(other ?? 0)}`,
];
