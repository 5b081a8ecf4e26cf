// The start: a game that is being played, the latest result, and what one can do here.
import { element } from "../dom/element.js";
import { get, messageOf, path, post } from "../net/api.js";
import { openStream } from "../net/event_stream.js";
import { RecordedGame } from "../net/recorded_game.js";
import { Board, slideTime } from "../shared/board.js";
import { count } from "../shared/number.js";
import { runCard, standingsOf } from "./run_card.js";
/** @import { AgentCatalog, GameList, GameUpdate, Run, Standing } from "../net/server_json.js" */
/** @import { View } from "./view.js" */

const SPEED = 4;
// A recorded game is shown from here on, where the board is full of tiles.
const FIRST_SHARE = 0.5;
// Quick enough for any machine, and worth watching.
const PLAYERS = ["expectimax", "snake", "greedy"];

const VERBS = [
  ["#play", "Watch an agent", "Choose it, set its parameters, and see how it weighs every move."],
  ["#you", "Play yourself", "On the tiles that the agents get."],
  ["#compare", "Compare agents", "Two to four on the same tiles, in step."],
  ["#explain", "Explain a move", "The tree that an agent searches, on any board."],
];

/**
 * @param {HTMLElement} area
 * @returns {View}
 */
export const open = (area) => {
  const view = new HomeView(area);
  view.start().catch((error) => { view.latest.textContent = messageOf(error); });
  return { update: () => {}, close: () => view.close() };
};

class HomeView {
  #isClosed = false;
  #stop = () => {};

  /** @param {HTMLElement} area */
  constructor(area) {
    this.board = new Board(4);
    this.caption = element("p", { class: "meta", id: "home-caption" });
    this.latest = element("div", { class: "latest" });
    area.append(
      element("p", { class: "introduction" }, "Programs that play 2048, compared fairly: the same tiles, the same time, enough games to be sure."),
      element("div", { class: "home" },
        element("section", { class: "home-game", "aria-label": "A game" }, this.board.element, this.caption),
        element("section", { class: "home-result", "aria-label": "The latest result" }, this.latest)),
      element("ul", { class: "verbs", role: "list" }, VERBS.map(([address, verb, what]) =>
        element("li", {}, element("a", { href: address }, verb), element("p", { class: "meta" }, what)))),
    );
  }

  async start() {
    /** @type {{ runs: Run[] }} */
    const { runs } = await get("/api/runs");
    const latest = runs.find(({ recorded }) => recorded > 0);
    if (latest === undefined) {
      this.latest.replaceChildren(element("p", {}, "No tournament yet. Those that are played into the folders of this server appear here."));
      await this.#playLive();
      return;
    }
    const standing = (await standingsOf([latest]))[latest.id];
    if (this.#isClosed) return;
    this.latest.replaceChildren(element("p", { class: "meta" }, "The latest tournament"), runCard(latest, standing), element("p", {}, element("a", { href: "#follow" }, "All tournaments")));
    await this.#playRecorded(latest, standing);
  }

  /**
   * Plays the best game of the best agent from its middle on, again and again.
   * @param {Run} run
   * @param {Standing | undefined} standing
   */
  async #playRecorded(run, standing) {
    const query = new URLSearchParams({ order: "best", ...(standing?.agents[0] === undefined ? {} : { agent: standing.agents[0].name }) });
    /** @type {GameList} */
    const { games: [best] } = await get(`${path`/api/runs/${run.id}/games`}?${query}`);
    if (best === undefined) {
      await this.#playLive();
      return;
    }
    const game = await RecordedGame.load(run.id, String(best.game));
    const first = Math.floor(game.nMoves * FIRST_SHARE);
    let number = first;
    const advance = async () => {
      const { board, score, step } = await game.at(number);
      if (this.#isClosed) return;
      if (step !== null && number > first) this.board.step(step, board, slideTime(SPEED));
      else this.board.show(board);
      this.caption.replaceChildren(
        element("a", { href: `#replay/${encodeURIComponent(run.id)}/${best.game}@${number}` }, `${best.agent} on seed ${best.seed}`),
        `, move ${count(number)}, score ${count(score)}`,
      );
      number = number < game.nMoves ? number + 1 : first;
    };
    await advance();
    const timer = setInterval(() => void advance().catch(() => {}), 1000 / SPEED);
    this.#stop = () => clearInterval(timer);
  }

  /** Without a tournament an agent plays now. */
  async #playLive() {
    /** @type {AgentCatalog} */
    const { agents } = await get("/api/agents");
    const plugin = PLAYERS.find((wanted) => agents.some((agent) => agent.plugin === wanted)) ?? agents[0]?.plugin;
    if (plugin === undefined || this.#isClosed) return;
    /** @type {{ id: string }} */
    const { id } = await post("/api/sessions", { agents: [{ plugin }], seed: 1, size: 4, four_share: 0.1, budget: { per_move: "1ms" }, running: true, speed: SPEED });
    if (this.#isClosed) return;
    const game = (/** @type {GameUpdate} */ { board, step, n, score }, /** @type {string} */ frame) => {
      if (step) this.board.step(step, board, slideTime(SPEED));
      else this.board.show(board);
      this.caption.replaceChildren(element("a", { href: `#play/${encodeURIComponent(id)}` }, `${plugin} plays`), `, move ${count(n)}, score ${count(score)}`);
      void post(path`/api/sessions/${id}/seen`, { frame }).catch(() => {});
    };
    this.#stop = openStream(path`/api/sessions/${id}/events`, { game }, () => {});
  }

  close() {
    this.#isClosed = true;
    this.#stop();
  }
}
