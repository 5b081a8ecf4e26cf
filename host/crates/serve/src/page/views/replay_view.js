// Replay: selects a game of a run, and a second one on the same seed.
import { element } from "../dom/element.js";
import { ReplayPlayer } from "../games/replay_player.js";
import { RequestError, get, isNotFound, messageOf, path } from "../net/api.js";
import { RecordedGame } from "../net/recorded_game.js";
import { budgetInWords } from "../text/budget_label.js";
import { extremeLinks } from "../games/extreme_links.js";
import { parseExtreme, splitMove } from "../text/replay_address.js";
import { count, counted } from "../shared/number.js";
/** @import { GameList, Run } from "../net/server_json.js" */
/** @import { GameExtreme } from "../text/replay_address.js" */
/** @import { View } from "./view.js" */

// Browsers refuse more frequent changes of the address.
const ADDRESS_INTERVAL_MS = 300;
const INTRODUCTION = "Replay any recorded game move by move, with a second game on the same tiles beside it.";

/**
 * @param {HTMLElement} area
 * @param {string[]} parameters run, game, second game
 * @returns {View}
 */
export const open = (area, parameters) => {
  const view = new ReplayView(area);
  void view.update(parameters);
  return { update: (next) => void view.update(next), close: () => view.close() };
};

/**
 * @param {string} id
 * @param {string} label
 */
const makeSelect = (id, label) => {
  const select = element("select", { id });
  return { select, element: element("div", { class: "field" }, element("label", { for: id }, label), select) };
};

/**
 * The parts that are present, joined for an option of a list.
 * @param {...(string | null)} parts
 */
const optionText = (...parts) => parts.filter((part) => part).join(" – ");

/** @param {string | null} budget */
const budgetText = (budget) => (budget === null ? null : budgetInWords(budget));

/**
 * The text of a run in the list. Runs with the same name are followed by their folder.
 * @param {Run} run
 * @param {Run[]} runs
 */
export const runText = ({ name, folder, recorded }, runs) => {
  const isUnique = runs.filter((run) => run.name === name).length === 1;
  return optionText(name, counted(recorded, "game"), isUnique ? null : folder);
};

class ReplayView {
  /** @type {string | null} */
  #runId = null;
  /** @type {string | null} */
  #gameNumber = null;
  /** @type {string | null} */
  #otherNumber = null;
  /** @type {number | null} */
  #seed = null;
  /** @type {string | null} the run and agent whose games are listed */
  #listed = null;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #addressTimer = null;
  /** whether the address names a game that is not shown yet */
  #isOpening = false;

  /** @param {HTMLElement} area */
  constructor(area) {
    this.player = new ReplayPlayer({
      onError: (error) => this.#showMessage(messageOf(error)),
      onMove: () => { this.#addressTimer ??= setTimeout(() => this.#showMoveInAddress(), ADDRESS_INTERVAL_MS); },
      addressOf: (move) => this.#addressOfMove(move),
    });
    this.run = makeSelect("replay-run", "Run");
    this.agent = makeSelect("replay-agent", "Agent");
    this.game = makeSelect("replay-game", "Game");
    this.other = makeSelect("replay-other", "Second game, same seed");
    this.note = element("p", { id: "message", class: "message", role: "alert", hidden: true });
    this.more = element("p", { class: "help" });
    this.extremes = element("p", { class: "extremes" });
    this.game.element.append(this.extremes);
    this.seedInput = element("input", { id: "replay-seed", type: "number", inputmode: "numeric", min: 0, step: 1 });
    this.seedForm = element("form", { class: "field", hidden: true, submit: (event) => {
      event.preventDefault();
      void this.#attempt(() => this.#chooseSeed());
    } }, element("label", { for: "replay-seed" }, "Another seed"), element("div", { class: "input" }, this.seedInput, element("button", {}, "Open")));
    this.run.select.addEventListener("change", () => this.#go([this.run.select.value]));
    this.agent.select.addEventListener("change", () => void this.#attempt(() => this.#openGameOf(this.agent.select.value)));
    this.game.select.addEventListener("change", () => this.#go([this.#runId, this.game.select.value]));
    this.other.select.addEventListener("change", () => {
      const other = this.other.select.value;
      this.#go([this.#runId, this.#gameNumber, ...(other === "" ? [] : [other])]);
    });
    const settings = element(
      "div",
      { class: "settings" },
      this.run.element, this.agent.element, this.game.element, this.more, this.seedForm, this.other.element,
    );
    const panel = element("div", { class: "panel" }, this.player.review, settings, this.player.ask.element);
    this.layout = element("div", { class: "layout replay" }, this.player.controls, this.player.element, panel);
    area.append(element("p", { class: "introduction" }, INTRODUCTION), this.note, this.layout);
  }

  /** @param {(string | number | null)[]} parts */
  #address(parts) {
    return `#${["replay", ...parts].map((part) => encodeURIComponent(String(part))).join("/")}`;
  }

  /** Puts the move that is shown into the address, so that a reload or a link leads to it. */
  #showMoveInAddress() {
    this.#addressTimer = null;
    if (this.#gameNumber === null || this.#isOpening) return;
    history.replaceState(null, "", this.#addressOfMove(this.player.number));
  }

  /** @param {number} move */
  #addressOfMove(move) {
    const parts = [this.#runId, this.#gameNumber, ...(this.#otherNumber === null ? [] : [this.#otherNumber])];
    return this.#address(parts) + (move === 0 ? "" : `@${move}`);
  }

  close() {
    if (this.#addressTimer !== null) clearTimeout(this.#addressTimer);
    this.player.close();
  }

  /** @param {(string | number | null)[]} parts */
  #go(parts) {
    location.hash = this.#address(parts);
  }

  /**
   * Runs an action and shows its error.
   * @param {() => Promise<void>} action
   */
  async #attempt(action) {
    this.#showMessage("");
    try {
      await action();
    } catch (error) {
      const message = messageOf(error);
      this.#showMessage(`${message.charAt(0).toUpperCase()}${message.slice(1)}${isNotFound(error) ? "." : ""}`);
    }
  }

  /** @param {string} text */
  #showMessage(text) {
    this.note.textContent = text;
    this.note.hidden = text === "";
  }

  /** @param {string[]} parameters */
  async update(parameters) {
    const { names: [run, game, other], move } = splitMove(parameters);
    this.#isOpening = true;
    // The place of the boards is known before the games are.
    if (this.player.panels.length === 0) this.player.gamesArea.dataset.games = other === undefined ? "1" : "2";
    await this.#attempt(() => this.#open(run, game, other, move));
    this.#isOpening = false;
  }

  /**
   * @param {string | undefined} run
   * @param {string | undefined} game
   * @param {string | undefined} other
   * @param {number | null} move
   */
  async #open(run, game, other, move) {
    if (run === undefined || this.#runId !== run) {
      const chosen = await this.#listRuns(run);
      if (chosen === null) return;
      this.#runId = chosen;
      this.#gameNumber = null;
      this.#listed = null;
    }
    const extreme = parseExtreme(game ?? "");
    if (game === undefined) await this.#openGameOf(null);
    else if (extreme !== null) await this.#openExtreme(extreme);
    else if (this.#gameNumber !== game || this.#otherNumber !== (other ?? null)) await this.#show(game, other, move);
    else this.player.lookAt(move ?? 0);
  }

  /**
   * Fills the list of runs. Returns the chosen run, or null if there are none.
   * @param {string | undefined} wanted
   */
  async #listRuns(wanted) {
    /** @type {{ runs: Run[] }} */
    const { runs } = await get("/api/runs");
    this.layout.hidden = runs.length === 0;
    const first = runs.find(({ recorded }) => recorded > 0) ?? runs[0];
    if (first === undefined) {
      this.#showMessage("No runs yet. Play a tournament, or save a game that you have watched.");
      return null;
    }
    this.run.select.replaceChildren(...runs.map((run) => element("option", { value: run.id }, runText(run, runs))));
    this.run.select.value = wanted ?? first.id;
    return wanted ?? first.id;
  }

  /**
   * @param {string} game
   * @param {string | undefined} other
   * @param {number | null} move
   */
  async #show(game, other, move) {
    const first = await this.#load(game);
    const second = other === undefined ? null : await this.#load(other);
    if (second !== null && first.details.seed !== second.details.seed) {
      history.replaceState(null, "", this.#address([this.#runId, game]));
      await this.#show(game, undefined, move);
      this.#showMessage(`Game ${other} has seed ${second.details.seed}, not ${first.details.seed}. Only games on the same tiles are shown side by side.`);
      return;
    }
    this.#gameNumber = game;
    this.#otherNumber = other ?? null;
    const { agent, seed } = first.details;
    this.#seed = seed;
    if (this.#listed !== this.#listKey(agent)) await this.#listGames(agent);
    this.game.select.value = game;
    const { games } = await this.#games(`seed=${seed}`);
    const others = games.filter((one) => String(one.game) !== game);
    this.other.select.replaceChildren(element("option", { value: "" }, "none"), ...others.map((one) =>
      element("option", { value: one.game }, optionText(one.agent, budgetText(one.budget), count(one.score)))));
    this.other.select.value = other ?? "";
    this.#hidePlayer(false);
    await this.player.load(second === null ? [first] : [first, second], move);
  }

  /**
   * Loads a game, unless it is shown already and has its steps.
   * @param {string} number
   */
  #load(number) {
    const games = this.player.panels.map((panel) => panel.game);
    const known = games.find((game) => game.run === this.#runId && String(game.details.game) === number);
    // Text that is not a number cannot be the number of a game.
    if (!/^\d+$/.test(number) || this.#runId === null) {
      throw new RequestError(404, [{ field: "", message: `“${number}” is not the number of a game, with @ and the number of a move if you like` }]);
    }
    return known ?? RecordedGame.load(this.#runId, number);
  }

  /**
   * The games of the run that match a query.
   * @param {string} query
   * @returns {Promise<GameList>}
   */
  #games(query) {
    return get(`${path`/api/runs/${this.#runId}/games`}?${query}`);
  }

  /** @param {string} agent */
  #listKey(agent) {
    return JSON.stringify([this.#runId, agent]);
  }

  /**
   * Fills the lists of agents and games.
   * @param {string} agent
   */
  async #listGames(agent) {
    const { agents, total, games } = await this.#games(path`agent=${agent}`);
    this.agent.select.replaceChildren(...agents.map((name) => element("option", { value: name }, name)));
    this.agent.select.value = agent;
    this.game.select.replaceChildren(...games.map((one) =>
      element("option", { value: one.game }, optionText(`seed ${one.seed}`, budgetText(one.budget), count(one.score), count(one.highest)))));
    const run = this.#runId ?? "";
    this.extremes.replaceChildren(...(games.length < 2 ? [] : extremeLinks(run, { agent, budget: null })));
    this.more.textContent = total > games.length ? `The first ${count(games.length)} of ${counted(total, "game")} are listed.` : "";
    this.seedForm.hidden = total <= games.length;
    this.#listed = this.#listKey(agent);
    return games;
  }

  /**
   * Opens the worst or the best game of an agent.
   * @param {GameExtreme} extreme
   */
  async #openExtreme({ order, agent, budget }) {
    const query = new URLSearchParams({ order, agent, ...(budget === null ? {} : { budget }) });
    const { games: [game] } = await this.#games(String(query));
    if (game === undefined) this.#showMessage(`${agent} has no recorded game in this run yet.`);
    else location.replace(this.#address([this.#runId, game.game]));
  }

  /**
   * Opens a game of an agent: on the seed that is shown, if the agent has played it.
   * @param {string | null} agent null for the first agent of the run
   */
  async #openGameOf(agent) {
    const chosen = agent ?? (await this.#games("")).agents[0];
    const games = chosen === undefined ? [] : await this.#listGames(chosen);
    const game = games.find((one) => one.seed === this.#seed) ?? games[0];
    // Without a game there is nothing to control or to ask about.
    this.#hidePlayer(game === undefined);
    if (game === undefined) this.#showMessage(chosen === undefined ? "This run has no agents." : `${chosen} has no recorded game in this run yet.`);
    else this.#go([this.#runId, game.game]);
  }

  /** @param {boolean} isHidden */
  #hidePlayer(isHidden) {
    for (const part of [this.player.controls, this.player.element, this.player.review, this.player.ask.element]) part.hidden = isHidden;
  }

  async #chooseSeed() {
    const agent = this.agent.select.value;
    const seed = this.seedInput.value;
    const { games } = await this.#games(path`agent=${agent}&seed=${seed}`);
    const [game] = games;
    if (game === undefined) this.#showMessage(`${agent} has not played seed ${seed}.`);
    else this.#go([this.#runId, game.game]);
  }
}
