// A show: games that the server plays while the page looks on, and the buttons for them.
// The server keeps the games; a reload or a lost connection opens the same stream again.
import { path, post } from "./api.js";
import { slideTime } from "./board.js";
import { Comparison } from "./comparison.js";
import { counted, element, enable, whole } from "./element.js";
import { headline } from "./ending.js";
import { listen } from "./keys.js";
import { Lane, parametersInWords } from "./lane.js";
import { announce } from "./notice.js";
import { SavedNote } from "./saved_note.js";
import { Speed } from "./speed.js";
import { followStream } from "./stream.js";

const SPEEDS = [1, 2, 4, 8, 16, 32, 64, null];
// Endings that come from outside the game.
const UNFINISHED = ["stopped", "killed"];
const NAMES = { idle: "Run", starting: "Starting…", playing: "Pause", paused: "Resume", over: "Run", gone: "Run" };

export class Stage {
  /** `start` begins a show and gives its id; `met` hears what an opened show plays; `changed` hears of the state. */
  constructor({ start, met, changed }) {
    this.start = start;
    this.met = met;
    this.changed = changed;
    this.id = null;
    this.endStream = () => {};
    this.speed = new Speed("speed", SPEEDS, (speed) => this.isLive && this.pace({ speed }));
    this.runButton = element("button", { id: "run", type: "button", class: "primary", click: () => this.run() });
    this.stepButton = element("button", { id: "step", type: "button", click: () => this.step() }, "Step");
    this.stopButton = element("button", { id: "stop", type: "button", click: () => this.isLive && this.call("stop") }, "Stop");
    this.saved = new SavedNote(() => post(path`/api/shows/${this.id}/save`, {}));
    this.message = element("p", { id: "message", class: "message", role: "alert", hidden: true });
    this.comparison = new Comparison();
    this.lanesPlace = element("div", { class: "lanes" });
    this.element = element("div", { id: "stage", class: "stage" }, this.comparison.element, this.lanesPlace);
    this.transport = element(
      "div",
      { class: "transport", role: "group", "aria-label": "Game" },
      element("div", { class: "buttons" }, this.runButton, this.stepButton, this.stopButton),
      this.speed.element,
    );
    this.outcome = element("div", { class: "outcome" }, this.message, this.saved.element);
    this.endKeys = listen({ " ": () => this.run(), ArrowRight: () => this.step() });
    this.lanes = [];
    this.setState("idle");
  }

  get isLive() {
    return this.state === "playing" || this.state === "paused";
  }

  setState(state) {
    this.state = state;
    this.element.dataset.state = state;
    this.runButton.textContent = NAMES[state];
    enable(this.runButton, state !== "starting");
    enable(this.stepButton, state !== "starting");
    enable(this.stopButton, this.isLive);
    this.changed(state);
  }

  /** Empty boards for the agents that are chosen. */
  prepare(names, side) {
    if (this.isLive) return;
    this.setLanes(names.map((name) => new Lane(name, "", side)));
  }

  setLanes(lanes) {
    this.lanes = lanes;
    this.lanesPlace.replaceChildren(...lanes.map((lane) => lane.element));
    this.lanesPlace.dataset.lanes = lanes.length;
    this.comparison.set(lanes);
  }

  /** Looks on at a show; null for none. */
  watch(id) {
    if (id === this.id) return;
    this.endStream();
    this.id = id;
    this.metId = null;
    this.pacing = null;
    this.say("");
    this.saved.show(null, false);
    if (id === null) {
      this.setState("idle");
      return;
    }
    this.setState("starting");
    this.endStream = followStream(path`/api/shows/${id}/events`, {
      show: (show) => this.meet(show),
      lane: (state) => this.see(state),
      pace: (pace) => this.keepPace(pace),
    }, () => this.lose());
  }

  meet(show) {
    // After a lost connection the boards are still there.
    if (this.metId === show.id) return;
    this.metId = show.id;
    this.setLanes(show.lanes.map(({ name, params }) => new Lane(name, parametersInWords(params), show.size)));
    this.met(show);
  }

  see(state) {
    this.lanes[state.lane]?.set(state, slideTime(this.speed.value));
    this.comparison.set(this.lanes);
    this.offerSave();
  }

  keepPace(pacing) {
    this.pacing = pacing;
    const state = pacing.over ? "over" : pacing.running ? "playing" : "paused";
    this.speed.set(pacing.speed);
    this.offerSave();
    if (state === this.state) return;
    this.setState(state);
    if (state !== "playing") announce(this.inWords());
  }

  /** Only games that were played to their end make a record. */
  offerSave() {
    if (!this.pacing) return;
    const isWhole = this.lanes.every((lane) => lane.ending && !UNFINISHED.includes(lane.ending.kind));
    const hasMoves = this.lanes.some((lane) => lane.moves.length > 0);
    this.saved.show(this.pacing.saved, this.pacing.over && isWhole && hasMoves, this.lanes.length);
  }

  inWords() {
    const words = this.lanes.map((lane) => {
      const ending = lane.ending ? `${headline(lane.name, lane.ending)}. ` : "";
      return `${ending}${lane.name}: score ${whole(lane.score)} after ${counted(lane.moves.length, "move")}.`;
    });
    return `${this.state === "paused" ? "Paused. " : ""}${words.join(" ")}`;
  }

  lose() {
    this.setState("gone");
    this.say(this.metId === this.id
      ? "This game has ended because nobody watched it. Run plays it anew."
      : "There is no such game; one that nobody watches ends after ten seconds.");
  }

  say(text) {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }

  run() {
    if (this.state === "playing") this.pace({ running: false });
    else if (this.state === "paused") this.pace({ running: true });
    else if (this.state !== "starting") this.begin({ running: true });
  }

  step() {
    if (this.isLive) this.pace({ step: true });
    else if (this.state !== "starting") this.begin({ running: false });
  }

  async begin({ running }) {
    this.say("");
    const before = this.state;
    this.setState("starting");
    const id = await this.start({ running, speed: this.speed.value });
    if (id === null) {
      this.setState(before);
      return;
    }
    if (!running) await post(path`/api/shows/${id}/pace`, { step: true }).catch((refusal) => this.say(refusal.message));
    this.element.scrollIntoView({ block: "nearest" });
  }

  pace(change) {
    return this.call("pace", change);
  }

  async call(name, body = {}) {
    try {
      await post(path`/api/shows/${this.id}/${name}`, body);
    } catch (refusal) {
      if (refusal.status === 404) this.lose();
      else this.say(refusal.message);
    }
  }

  close() {
    this.endStream();
    this.endKeys();
  }
}
