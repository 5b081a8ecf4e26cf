// Replay: chooses a game of a run, and a second one on the same seed.
import { get, path } from "./api.js";
import { counted, element, whole } from "./element.js";
import { Film } from "./film.js";
import { Projector } from "./projector.js";

const INTRODUCTION = "Any recorded game, move by move; with a second one on the same tiles beside it.";

export const open = (place, parameters) => {
  const replay = new Replay(place);
  replay.update(parameters);
  return { update: (next) => replay.update(next), close: () => replay.projector.close() };
};

const chooser = (id, label) => {
  const select = element("select", { id });
  return { select, element: element("div", { class: "field" }, element("label", { for: id }, label), select) };
};

/** Runs of one name are told apart by their folders. */
const runOptions = (runs) => runs.map(({ id, name, folder, recorded }) => {
  const isAlone = runs.filter((run) => run.name === name).length === 1;
  return element("option", { value: id }, `${name} – ${counted(recorded, "game")}${isAlone ? "" : ` – ${folder}`}`);
});

class Replay {
  constructor(place) {
    this.projector = new Projector((refusal) => this.say(refusal.message));
    this.run = chooser("replay-run", "Run");
    this.agent = chooser("replay-agent", "Agent");
    this.game = chooser("replay-game", "Game");
    this.other = chooser("replay-other", "Beside it, on the same seed");
    this.note = element("p", { id: "message", class: "message", role: "alert", hidden: true });
    this.more = element("p", { class: "help" });
    this.bySeed = element("input", { id: "replay-seed", type: "number", inputmode: "numeric", min: 0, step: 1 });
    this.seedField = element("form", { class: "field", hidden: true, submit: (event) => {
      event.preventDefault();
      this.guard(() => this.chooseSeed());
    } }, element("label", { for: "replay-seed" }, "Another seed"), element("div", { class: "input" }, this.bySeed, element("button", {}, "Open")));
    this.run.select.addEventListener("change", () => this.go([this.run.select.value]));
    this.agent.select.addEventListener("change", () => this.guard(() => this.listGames(this.agent.select.value)));
    this.game.select.addEventListener("change", () => this.go([this.runId, this.game.select.value]));
    this.other.select.addEventListener("change", () => {
      const other = this.other.select.value;
      this.go(other === "" ? [this.runId, this.gameNumber] : [this.runId, this.gameNumber, other]);
    });
    const settings = element(
      "div",
      { class: "settings" },
      this.run.element, this.agent.element, this.game.element, this.more, this.seedField, this.other.element,
      this.projector.partButton,
    );
    const panel = element("div", { class: "panel" }, this.projector.transport, settings);
    this.watch = element("div", { class: "watch replay" }, this.projector.stage, panel);
    place.append(element("p", { class: "introduction" }, INTRODUCTION), this.note, this.watch);
  }

  address(parts) {
    return `#${["replay", ...parts].map((part) => encodeURIComponent(part)).join("/")}`;
  }

  go(parts) {
    location.hash = this.address(parts);
  }

  async guard(action) {
    this.say("");
    try {
      await action();
    } catch (refusal) {
      this.say(refusal.status === 404 ? "There is no such game." : refusal.message);
    }
  }

  say(text) {
    this.note.textContent = text;
    this.note.hidden = text === "";
  }

  update([run, game, other]) {
    return this.guard(() => this.open(run, game, other));
  }

  async open(run, game, other) {
    if (run === undefined || this.runId !== run) {
      const { runs } = await get("/api/runs");
      this.watch.hidden = runs.length === 0;
      if (runs.length === 0) {
        this.say("There are no runs yet. `host run tournaments/default.yaml` plays one, and a game that was watched can be saved.");
        return;
      }
      this.run.select.replaceChildren(...runOptions(runs));
      this.runId = run ?? runs.find(({ recorded }) => recorded > 0)?.id ?? runs[0].id;
      this.run.select.value = this.runId;
      this.gameNumber = null;
      this.listed = null;
    }
    if (game === undefined) {
      await this.listGames();
      return;
    }
    if (this.gameNumber !== game || (this.otherNumber ?? undefined) !== other) await this.show(game, other);
  }

  async show(game, other) {
    const numbers = other === undefined ? [game] : [game, other];
    // What is no number names no game, and need not be asked for.
    if (!numbers.every((number) => /^\d+$/.test(number))) throw { status: 404 };
    const films = await Promise.all(numbers.map((number) => this.film(number).load()));
    if (films.length === 2 && films[0].details.seed !== films[1].details.seed) {
      history.replaceState(null, "", this.address([this.runId, game]));
      await this.show(game);
      this.say(`Game ${other} is on seed ${films[1].details.seed}, not on seed ${films[0].details.seed}: games on different tiles are not shown side by side.`);
      return;
    }
    this.gameNumber = game;
    this.otherNumber = other ?? null;
    const { agent, seed } = films[0].details;
    this.seed = seed;
    await this.listGames(agent, game);
    const { games } = await get(path`/api/runs/${this.runId}/games?seed=${seed}`);
    const rivals = games.filter((rival) => String(rival.game) !== String(game));
    this.other.select.replaceChildren(element("option", { value: "" }, "none"), ...rivals.map((rival) =>
      element("option", { value: rival.game }, [rival.agent, rival.budget, whole(rival.score)].filter((part) => part).join(" – "))));
    this.other.select.value = other ?? "";
    await this.projector.load(films);
  }

  /** A second look at the same game keeps its steps. */
  film(number) {
    const kept = this.projector.reels.map((reel) => reel.film).find((film) => film.run === this.runId && String(film.game) === String(number));
    return kept ?? new Film(this.runId, number);
  }

  /** Fills the lists; without a game, the first one is opened. */
  async listGames(agent, game) {
    const key = JSON.stringify([this.runId, agent ?? null]);
    if (this.listed !== key || game === undefined) {
      const wanted = agent ?? (await get(path`/api/runs/${this.runId}/games`)).agents[0];
      if (wanted === undefined) {
        this.say("This run has no game yet.");
        return;
      }
      const { agents, total, games } = await get(path`/api/runs/${this.runId}/games?agent=${wanted}`);
      this.agent.select.replaceChildren(...agents.map((name) => element("option", { value: name }, name)));
      this.agent.select.value = wanted;
      this.game.select.replaceChildren(...games.map((one) =>
        element("option", { value: one.game }, [`seed ${one.seed}`, one.budget, whole(one.score), whole(one.highest)].filter((part) => part).join(" – "))));
      this.more.textContent = total > games.length ? `The first ${whole(games.length)} of ${counted(total, "game")} are listed.` : "";
      this.seedField.hidden = total <= games.length;
      this.listed = JSON.stringify([this.runId, wanted]);
      // Another agent is looked at on the same seed, if it has played it.
      const like = games.find((one) => one.seed === this.seed) ?? games[0];
      if (game === undefined && like !== undefined) this.go([this.runId, like.game]);
    }
    if (game !== undefined) this.game.select.value = game;
  }

  async chooseSeed() {
    const { games } = await get(path`/api/runs/${this.runId}/games?agent=${this.agent.select.value}&seed=${this.bySeed.value}`);
    if (games.length === 0) this.say(`${this.agent.select.value} has not played seed ${this.bySeed.value}.`);
    else this.go([this.runId, games[0].game]);
  }
}
