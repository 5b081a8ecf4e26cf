// Follow: tournaments while they are played, wherever they were started, and their results.
import { element } from "../dom/element.js";
import { get, messageOf } from "../net/api.js";
import { runCard, standingsOf } from "./run_card.js";
import { RunPanel } from "./run_panel.js";
/** @import { Run, Standing } from "../net/server_json.js" */
/** @import { View } from "./view.js" */

const LIST_INTERVAL_MS = 1000;
// More do not fit side by side.
const MOST_RUNS = 4;

/** @param {string[]} runs */
const addressOf = (runs) => `#${["follow", ...runs.map(encodeURIComponent)].join("/")}`;

/**
 * @param {HTMLElement} area
 * @param {string[]} parameters the runs, or nothing for the list of runs
 * @returns {View}
 */
export const open = (area, parameters) => {
  const content = element("div", { class: "follow", tabindex: -1 });
  area.append(content);
  let stop = () => {};
  /** @param {string[]} runs */
  const update = (runs) => {
    stop();
    // The link that was followed had the focus and is removed now.
    if (content.contains(document.activeElement)) content.focus();
    content.replaceChildren();
    stop = runs.length === 0 ? listRuns(content) : followRuns(content, [...new Set(runs)].slice(0, MOST_RUNS));
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
    "Tournaments in the folders that this server shows. A new one appears automatically.",
  );
  const list = element("ul", { class: "runs", role: "list" });
  area.append(note, list);
  let shown = "";
  /** @type {Record<string, Standing>} */
  let known = {};
  let isWaiting = false;
  const refresh = async () => {
    if (isWaiting) return;
    isWaiting = true;
    try {
      /** @type {{ runs: Run[] }} */
      const { runs } = await get("/api/runs");
      // Replacing an unchanged list would take the focus from its links.
      if (JSON.stringify(runs) === shown) return;
      shown = JSON.stringify(runs);
      const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
      const show = (/** @type {Record<string, Standing>} */ standings) =>
        list.replaceChildren(...(runs.length === 0 ? [noRuns()] : runs.map((run) => element("li", {}, runCard(run, standings[run.id])))));
      show(known);
      known = await standingsOf(runs);
      show(known);
      [...list.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
    } catch (error) {
      // The next look may succeed.
      note.textContent = messageOf(error);
    } finally {
      isWaiting = false;
    }
  };
  void refresh();
  const timer = setInterval(() => void refresh(), LIST_INTERVAL_MS);
  return () => clearInterval(timer);
};

const noRuns = () => element("li", {}, "No runs yet. Play one with the command ", element("code", {}, "run default"), ".");

/**
 * Shows runs side by side and keeps them up to date; returns the function that stops that.
 * @param {HTMLElement} area
 * @param {string[]} runs
 */
const followRuns = (area, runs) => {
  const removeLink = (/** @type {string} */ run) => runs.length === 1 ? null : element(
    "a",
    { href: addressOf(runs.filter((other) => other !== run)), "aria-label": `Remove ${run}`, title: "Remove" },
    "×",
  );
  const panels = runs.map((run) => new RunPanel(run, removeLink(run)));
  const choice = element("select", { id: "another-run", change: () => {
    if (choice.value !== "") location.hash = addressOf([...runs, choice.value]);
  } });
  const another = element("p", { class: "another", hidden: true }, element("label", { for: "another-run" }, "Compare with"), " ", choice);
  const offer = async () => {
    /** @type {{ runs: Run[] }} */
    const { runs: all } = await get("/api/runs");
    const others = all.filter((run) => !runs.includes(run.id));
    choice.replaceChildren(element("option", { value: "" }, "another run"), ...others.map((run) => element("option", { value: run.id }, run.name)));
    another.hidden = others.length === 0 || runs.length >= MOST_RUNS;
  };
  // Without the list of runs there is nothing to compare with.
  offer().catch(() => { another.hidden = true; });
  area.append(
    element("div", { class: "above" }, element("a", { href: "#follow" }, "All runs"), another),
    element("div", { class: "side-by-side" }, panels.map((panel) => panel.element)),
  );
  return () => panels.forEach((panel) => panel.close());
};
