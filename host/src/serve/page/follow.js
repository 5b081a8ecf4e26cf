// Follow: a tournament while it plays, wherever it was started, and what it came to.
import { get, path } from "./api.js";
import { counted, element, whole } from "./element.js";
import { afterHeadline, headline, recordedEnding } from "./ending.js";
import { announce } from "./notice.js";
import { makeRanking } from "./ranking.js";
import { followStream } from "./stream.js";

const LIST_EVERY_MS = 1000;

export const open = (place, parameters) => {
  const view = new Follow(place);
  view.update(parameters);
  return { update: (next) => view.update(next), close: () => view.end() };
};

class Follow {
  constructor(place) {
    this.place = element("div", { class: "follow", tabindex: -1 });
    place.append(this.place);
    this.end = () => {};
  }

  update([run]) {
    this.end();
    // The link that led here is gone, and the focus with it.
    if (this.place.contains(document.activeElement)) this.place.focus();
    this.place.replaceChildren();
    this.end = run === undefined ? listRuns(this.place) : followRun(this.place, run);
  }
}

/** The runs there are; one that is started now appears by itself. */
const listRuns = (place) => {
  const note = element(
    "p",
    { class: "introduction" },
    "Tournaments in the folders that ",
    element("code", {}, "host serve"),
    " was given. One that is started now appears by itself.",
  );
  const list = element("ul", { class: "runs", role: "list" });
  place.append(note, list);
  let shown = "";
  const look = async () => {
    try {
      const { runs } = await get("/api/runs");
      // Links that are replaced lose the focus.
      if (JSON.stringify(runs) === shown) return;
      shown = JSON.stringify(runs);
      const held = list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      list.replaceChildren(...runs.map((run) => element("li", {},
        element("a", { href: `#follow/${encodeURIComponent(run.id)}` }, run.name),
        // Whether a run that rests is finished is known to its own stream only.
        run.running ? element("span", { class: "badge on" }, "running") : null,
        element("span", { class: "meta" }, `${gamesOf(run)} · ${run.folder}`))));
      if (runs.length === 0) list.append(element("li", {}, "There are no runs yet: ", element("code", {}, "host run tournaments/default.yaml"), " plays one."));
      [...list.querySelectorAll("a")].find((link) => link.getAttribute("href") === held)?.focus();
    } catch (refusal) {
      note.textContent = refusal.message;
    }
  };
  look();
  const timer = setInterval(look, LIST_EVERY_MS);
  return () => clearInterval(timer);
};

const gamesOf = ({ recorded, planned }) => `${whole(recorded)} of ${counted(planned, "game")}`;

/** A run may be finished with fewer games than it might have played. */
const progressInWords = (state, { recorded, planned, report }) => {
  if (state !== "finished" || recorded >= planned) return gamesOf({ recorded, planned });
  if (report?.agents.some((agent) => agent.disqualified)) return `${whole(recorded)} of at most ${counted(planned, "game")}; who is disqualified plays no more`;
  return `${counted(recorded, "game")} ${recorded === 1 ? "was" : "were"} enough of at most ${whole(planned)}`;
};

const followRun = (place, run) => {
  const name = element("h2", { id: "run-name" }, run);
  const badge = element("span", { class: "badge", id: "run-state" });
  const bar = element("progress", { "aria-label": "Games played" });
  const count = element("span", { class: "meta", id: "run-count" });
  const after = element("p", { class: "after" });
  const standing = element("div", { id: "standing" });
  const message = element("p", { class: "message", role: "alert", hidden: true });
  place.append(
    element("p", {}, element("a", { href: "#follow" }, "All runs")),
    element("div", { class: "title" }, name, badge),
    element("div", { class: "progress" }, bar, count),
    after, message, standing,
  );
  let wasRunning = null;
  return followStream(path`/api/runs/${run}/events`, {
    standing: (now) => {
      const { running, recorded, planned, report } = now;
      name.textContent = report?.name ?? run;
      const state = running ? "running" : now.finished ?? recorded >= planned ? "finished" : "interrupted";
      badge.textContent = state;
      badge.className = running ? "badge on" : "badge";
      place.dataset.state = state;
      bar.max = Math.max(1, state === "finished" ? recorded : planned);
      bar.value = recorded;
      count.textContent = progressInWords(state, now);
      after.replaceChildren(
        ...(running ? [] : [
          element("a", { id: "report", href: path`/runs/${run}/report.html` }, "The report"),
          " with distributions, tiles, pairs and times · ",
        ]),
        element("a", { href: `#replay/${encodeURIComponent(run)}` }, "Replay its games"),
      );
      if (report) showReport(standing, run, report);
      if (wasRunning && !running) announce(`The tournament is ${state}.`);
      wasRunning = running;
    },
  }, () => {
    message.textContent = "This run is not in the folders that the server looks at.";
    message.hidden = false;
  });
};

/** Replaced as a whole, with the place of the reader kept. */
const showReport = (standing, run, report) => {
  const scrolled = [...standing.querySelectorAll(".scroll")].map((part) => part.scrollLeft);
  const held = [...standing.querySelectorAll("[tabindex], a")].indexOf(document.activeElement);
  const budgets = [...new Set(report.agents.map((agent) => agent.budget ?? ""))];
  standing.replaceChildren(
    ...budgets.map((budget) => element("section", { "data-budget": budget },
      budgets.length > 1 ? element("h3", {}, `Budget ${budget}`) : null,
      makeRanking(report.agents.filter((agent) => (agent.budget ?? "") === budget), report.goal, report.confidence))),
    ...faults(run, report.agents),
    ...notes(report.notes ?? []),
  );
  [...standing.querySelectorAll(".scroll")].forEach((part, place) => { part.scrollLeft = scrolled[place] ?? 0; });
  if (held >= 0) [...standing.querySelectorAll("[tabindex], a")][held]?.focus();
};

const faults = (run, agents) => {
  const examples = agents.flatMap((agent) => agent.fault_examples ?? []);
  if (examples.length === 0) return [];
  return [
    element("h3", {}, "Faults"),
    element("p", { class: "meta" }, "The first of each kind of each agent."),
    element("ul", { class: "faults", role: "list" }, examples.map((example) => faultCard(run, example))),
  ];
};

const faultCard = (run, { agent, game, seed, ending, sentence, n_moves: nMoves, stderr, again }) => {
  const fault = recordedEnding({ ending, fault: sentence });
  const words = [stderr ?? []].flat().join("\n");
  return element(
    "li",
    { class: "ending fault" },
    element(
      "p",
      {},
      element("strong", {}, headline(agent, fault)),
      element("span", { class: "sentence" }, afterHeadline(fault)),
      ` (seed ${seed}, after ${counted(nMoves, "move")})`,
    ),
    words === "" ? null : element("pre", {}, words),
    element(
      "p",
      { class: "meta" },
      element("a", { href: `#replay/${encodeURIComponent(run)}/${game}` }, "Replay"),
      " · ",
      element("code", {}, again),
    ),
  );
};

const notes = (texts) => texts.length === 0 ? [] : [
  element("h3", {}, "Notes"),
  element("ul", { class: "notes", role: "list" }, texts.map((text) => element("li", {}, text))),
];
