// Shows one recorded game or two on the same tiles: slider, buttons, speed and keys.
import { Board, slideTime } from "./board.js";
import { arrow, aside, element, inWords, whole } from "./element.js";
import { afterHeadline, headline, recordedEnding } from "./ending.js";
import { listen } from "./keys.js";
import { announce } from "./notice.js";
import { partingMove } from "./parting.js";
import { Readings } from "./readings.js";
import { Speed } from "./speed.js";

const SPEEDS = [1, 2, 4, 8, 30, 120, 1000];

export class Projector {
  /** `complain` hears of steps that cannot be had. */
  constructor(complain) {
    this.complain = (refusal) => {
      this.pause();
      complain(refusal);
    };
    this.reels = [];
    this.number = 0;
    this.last = 0;
    this.timer = 0;
    this.speed = new Speed("replay.speed", SPEEDS, () => { this.due = performance.now(); });
    const button = (id, label, text, act) => element("button", { id, type: "button", "aria-label": label, title: label, click: act }, text);
    this.playButton = element("button", { id: "play", type: "button", class: "primary", click: () => this.toggle() }, "Play");
    this.slider = element("input", {
      id: "move", type: "range", min: 0, max: 0, value: 0, step: 1, "aria-label": "Move",
      input: () => this.go(Number(this.slider.value)),
    });
    this.partButton = element("button", { id: "part", type: "button", click: () => this.go(this.parting) }, "Jump to the move where they part");
    this.parted = element("p", { id: "parting", class: "comparison" });
    this.place = element("div", { class: "lanes" });
    this.stage = element("div", { id: "stage", class: "stage" }, this.parted, this.place);
    this.transport = element(
      "div",
      { class: "transport", role: "group", "aria-label": "Replay" },
      this.slider,
      element(
        "div",
        { class: "buttons" },
        button("first", "First move", "Start", () => this.go(0)),
        button("back", "One move back", "◀", () => this.go(this.number - 1)),
        this.playButton,
        button("forward", "One move on", "▶", () => this.go(this.number + 1)),
        button("last", "Last move", "End", () => this.go(this.last)),
      ),
      this.speed.element,
    );
    this.endKeys = listen({
      " ": () => this.toggle(),
      ArrowLeft: () => this.go(this.number - 1),
      ArrowRight: () => this.go(this.number + 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
    });
  }

  /** Shows these films from their start; a second one beside the first joins where it stands. */
  load(films) {
    this.pause();
    const isSame = this.reels[0]?.film === films[0];
    this.reels = films.map((film) => new Reel(film));
    this.last = Math.max(0, ...films.map((film) => film.nMoves));
    this.parting = films.length === 2 ? partingMove(films.map((film) => film.details.moves)) : null;
    this.slider.max = this.last;
    this.place.replaceChildren(...this.reels.map((reel) => reel.element));
    this.place.dataset.lanes = films.length;
    this.partButton.hidden = this.parting === null;
    this.parted.hidden = films.length < 2;
    this.parted.textContent = films.length < 2 ? "" : this.partingInWords(films);
    this.parted.dataset.parting = this.parting ?? "";
    return this.show(isSame ? this.number : 0);
  }

  partingInWords([one, other]) {
    const names = [one.details.agent, other.details.agent];
    if (this.parting === null) return `${names.join(" and ")} play the same moves as far as both go.`;
    const [first, second] = [one, other].map((film) => inWords(film.details.moves[this.parting - 1]));
    const before = this.parting === 1 ? "" : `The first ${this.parting === 2 ? "move is" : `${whole(this.parting - 1)} moves are`} the same. `;
    return `${before}On move ${whole(this.parting)} ${names[0]} goes ${first}, ${names[1]} ${second}.`;
  }

  async show(number, milliseconds = 0) {
    const wanted = Math.max(0, Math.min(this.last, number));
    this.number = wanted;
    this.slider.value = wanted;
    this.slider.setAttribute("aria-valuetext", `move ${wanted} of ${this.last}`);
    const { reels } = this;
    const frames = await Promise.all(reels.map((reel) => reel.film.at(wanted)));
    // Another move, or another game, was asked for in the meantime.
    if (this.number !== wanted || this.reels !== reels) return;
    reels.forEach((reel, place) => reel.show(frames[place], milliseconds));
    this.stage.dataset.move = wanted;
  }

  go(number) {
    this.pause();
    const isOneOn = number === this.number + 1;
    this.show(number, isOneOn ? 110 : 0).catch((refusal) => this.complain(refusal));
  }

  toggle() {
    if (this.timer !== 0) {
      this.pause();
      announce(`Paused at move ${this.number}.`);
      return;
    }
    if (this.reels.length === 0) return;
    if (this.number >= this.last) this.number = 0;
    this.playButton.textContent = "Pause";
    this.due = performance.now();
    this.timer = requestAnimationFrame((now) => this.tick(now));
  }

  async tick(now) {
    const speed = this.speed.value;
    const nDue = Math.floor((now - this.due) * speed / 1000);
    if (nDue > 0) {
      this.due += nDue * 1000 / speed;
      for (const { film } of this.reels) film.prepare(this.number + nDue);
      try {
        await this.show(this.number + nDue, nDue === 1 ? slideTime(speed) : 0);
      } catch (refusal) {
        this.complain(refusal);
      }
      // Waiting for the server is not made up for by a jump.
      this.due = Math.max(this.due, performance.now() - 1000 / speed - 50);
    }
    if (this.timer === 0) return;
    if (this.number < this.last) {
      this.timer = requestAnimationFrame((later) => this.tick(later));
    } else {
      this.pause();
      announce("End of the replay.");
    }
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.playButton.textContent = "Play";
  }

  close() {
    this.pause();
    this.endKeys();
  }
}

/** One of the games. */
class Reel {
  constructor(film) {
    this.film = film;
    const { agent, budget, size } = film.details;
    this.board = new Board(size);
    this.readings = new Readings(["Score", "Move", "Highest", "Last move"]);
    this.end = element("p", { class: "ending", "data-verdict": "" });
    this.shown = -1;
    this.element = element("section", { class: "lane", "aria-label": agent },
      element("h2", {}, agent, aside(budget)), this.board.element,
      element("div", { class: "below" }, this.readings.element, this.end));
  }

  show({ n, board, score, step }, milliseconds) {
    if (step && n === this.shown + 1 && milliseconds > 0) this.board.step(step, board, milliseconds);
    else this.board.show(board);
    this.shown = n;
    const last = step ? `${arrow(step.direction)} ${inWords(step.direction)}` : "–";
    this.readings.set({ Score: score, Move: n, Highest: 2 ** Math.max(...board), "Last move": last });
    this.readings.values.Move.append(element("small", {}, ` of ${whole(this.film.nMoves)}`));
    this.end.textContent = n < this.film.nMoves ? "" : this.verdict(score);
  }

  verdict(score) {
    const { agent, score: recorded } = this.film.details;
    if (score !== recorded) return `The record says ${whole(recorded)}: host verify says more.`;
    const ending = recordedEnding(this.film.details);
    return `${headline(agent, ending)}${afterHeadline(ending)}. The score is that of the record.`;
  }
}
