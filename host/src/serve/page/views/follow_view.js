// Follow: a tournament while it is played, wherever it was started, and its result.
import { announce } from "../dom/announcements.js";
import { element } from "../dom/element.js";
import { endingSentence } from "../games/ending_note.js";
import { get, messageOf, path } from "../net/api.js";
import { openStream } from "../net/event_stream.js";
import { recordedEnding } from "../text/ending.js";
import { count, counted } from "../../../report/html/number.js";
import { makeRanking } from "./ranking.js";
/** @import { FaultExample, RankedAgent, Report, Run, RunUpdate } from "../net/server_json.js" */
/** @import { View } from "./view.js" */

const LIST_INTERVAL_MS = 1000;

/**
 * @param {HTMLElement} area
 * @param {string[]} parameters the run, or nothing for the list of runs
 * @returns {View}
 */
export const open = (area, parameters) => {
  const content = element("div", { class: "follow", tabindex: -1 });
  area.append(content);
  let stop = () => {};
  /** @param {string[]} next */
  const update = ([run]) => {
    stop();
    // The link that was followed had the focus and is removed now.
    if (content.contains(document.activeElement)) content.focus();
    content.replaceChildren();
    stop = run === undefined ? listRuns(content) : followRun(content, run);
  };
  update(parameters);
  return { update, close: () => stop() };
};

/**
 * Shows the list of runs and keeps it up to date; returns the function that stops that.
 * @param {HTMLElement} area
 */
const listRuns = (area) => {
  const note = element(
    "p",
    { class: "introduction" },
    "Tournaments in the folders given to ",
    element("code", {}, "host serve"),
    ". A new one appears automatically.",
  );
  const list = element("ul", { class: "runs", role: "list" });
  area.append(note, list);
  let shown = "";
  const refresh = async () => {
    try {
      /** @type {{ runs: Run[] }} */
      const { runs } = await get("/api/runs");
      // Replacing an unchanged list would take the focus from its links.
      if (JSON.stringify(runs) === shown) return;
      shown = JSON.stringify(runs);
      const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
      list.replaceChildren(...(runs.length === 0 ? [noRuns()] : runs.map(runEntry)));
      [...list.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
    } catch (error) {
      note.textContent = messageOf(error);
    }
  };
  void refresh();
  const timer = setInterval(() => void refresh(), LIST_INTERVAL_MS);
  return () => clearInterval(timer);
};

const noRuns = () => element("li", {}, "No runs yet. Play one with ", element("code", {}, "host run tournaments/default.yaml"), ".");

/** @param {Run} run */
const runEntry = (run) => element("li", {},
  element("a", { href: `#follow/${encodeURIComponent(run.id)}` }, run.name),
  // The list does not know whether a run that is not running is finished.
  run.running ? element("span", { class: "badge on" }, "running") : null,
  element("span", { class: "meta" }, `${gamesOf(run)} · ${run.folder}`));

/** @param {{ recorded: number, planned: number }} progress */
const gamesOf = ({ recorded, planned }) => `${count(recorded)} of ${counted(planned, "game")}`;

/** @param {Pick<RunUpdate, "running" | "finished">} update */
const stateOf = ({ running, finished }) => {
  if (running) return "running";
  return finished ? "finished" : "interrupted";
};

/**
 * How many games have been played. A run may be finished with fewer games than planned.
 * @param {RunUpdate} update
 */
export const progressInWords = (update) => {
  const { recorded, planned, report } = update;
  if (stateOf(update) !== "finished" || recorded >= planned) return gamesOf(update);
  if (report.agents.some((agent) => agent.disqualified)) {
    return `${count(recorded)} of at most ${counted(planned, "game")}; disqualified agents stopped playing`;
  }
  return `${counted(recorded, "game")} ${recorded === 1 ? "was" : "were"} enough, of at most ${count(planned)}`;
};

/**
 * Shows a run and keeps it up to date; returns the function that stops that.
 * @param {HTMLElement} area
 * @param {string} run
 */
const followRun = (area, run) => {
  const name = element("h2", { id: "run-name" }, run);
  const badge = element("span", { class: "badge", id: "run-state" });
  const bar = element("progress", { "aria-label": "Games played" });
  const progress = element("span", { class: "meta", id: "run-count" });
  const links = element("p");
  const ranking = element("div", { id: "ranking" });
  const message = element("p", { class: "message", role: "alert", hidden: true });
  area.append(
    element("p", {}, element("a", { href: "#follow" }, "All runs")),
    element("div", { class: "title" }, name, badge),
    element("div", { class: "progress" }, bar, progress),
    links, message, ranking,
  );
  let wasRunning = false;
  /** @param {RunUpdate} update */
  const show = (update) => {
    const { running, recorded, planned, report } = update;
    name.textContent = report.name;
    const state = stateOf(update);
    badge.textContent = state;
    badge.className = running ? "badge on" : "badge";
    area.dataset.state = state;
    bar.max = Math.max(1, state === "finished" ? recorded : planned);
    bar.value = recorded;
    progress.textContent = progressInWords(update);
    links.replaceChildren(
      ...(running ? [] : [
        element("a", { id: "report", href: path`/runs/${run}/report.html` }, "Report"),
        " with distributions, tiles, pairs and times · ",
      ]),
      element("a", { href: `#replay/${encodeURIComponent(run)}` }, "Replay its games"),
    );
    showReport(ranking, run, report);
    if (wasRunning && !running) announce(`The tournament is ${state}.`);
    wasRunning = running;
  };
  return openStream(path`/api/runs/${run}/events`, { update: show }, () => {
    message.textContent = "Run not found in the folders given to `host serve`.";
    message.hidden = false;
  });
};

/**
 * Replaces the whole report, but keeps focus and scroll positions.
 * @param {HTMLElement} area
 * @param {string} run
 * @param {Report} report
 */
const showReport = (area, run, report) => {
  const focusable = () => [...area.querySelectorAll("[tabindex], a")].filter((it) => it instanceof HTMLElement);
  const scrolled = [...area.querySelectorAll(".scroll")].map((part) => part.scrollLeft);
  const focused = focusable().findIndex((it) => it === document.activeElement);
  const budgets = [...new Set(report.agents.map((agent) => agent.budget ?? ""))];
  area.replaceChildren(
    ...budgets.map((budget) => element("section", { "data-budget": budget },
      budgets.length > 1 ? element("h3", {}, `Budget ${budget}`) : null,
      makeRanking(report.agents.filter((agent) => (agent.budget ?? "") === budget), report.goal, report.confidence))),
    ...faultSection(run, report.agents),
    ...noteSection(report.notes),
  );
  [...area.querySelectorAll(".scroll")].forEach((part, index) => { part.scrollLeft = scrolled[index] ?? 0; });
  if (focused >= 0) focusable()[focused]?.focus();
};

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
const faultCard = (run, { agent, game, seed, ending, sentence, n_moves: nMoves, stderr, again }) => element(
  "li",
  { class: "ending fault" },
  element(
    "p",
    {},
    endingSentence(agent, recordedEnding({ ending, fault: sentence })),
    ` (seed ${seed}, after ${counted(nMoves, "move")})`,
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
  element("ul", { class: "notes", role: "list" }, notes.map((text) => element("li", {}, text))),
];
