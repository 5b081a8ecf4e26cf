// Recorded games, replays, results and rankings without a browser.
import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";

import { boardBefore } from "../../host/crates/serve/src/page/games/move_choice.js";
import { barLengths, effortInWords, placesOf } from "../../host/crates/serve/src/page/games/move_evaluation.js";
import { RequestError, get, path } from "../../host/crates/serve/src/page/net/api.js";
import { RecordedGame } from "../../host/crates/serve/src/page/net/recorded_game.js";
import { splitMove } from "../../host/crates/serve/src/page/text/replay_address.js";
import { mostDifferent, winsInWords } from "../../host/crates/report/src/html/shared/seed_chart.js";
import { distinct, notableRows } from "../../host/crates/serve/src/page/views/result_table.js";
import { swipeDirection } from "../../host/crates/serve/src/page/dom/swipe.js";
import { budgetFromLabel } from "../../host/crates/serve/src/page/forms/budget_fields.js";
import { parseSeed } from "../../host/crates/serve/src/page/forms/game_form.js";
import { fieldAt } from "../../host/crates/serve/src/page/forms/field.js";
/** @import { GameResult, StepList, WholeGame } from "../../host/crates/serve/src/page/net/server_json.js" */

afterEach(() => mock.restoreAll());

/**
 * Answers every request with the JSON of `answer`.
 * @param {(url: string) => { status?: number, body: unknown }} answer
 */
const mockServer = (answer) => mock.method(globalThis, "fetch", (/** @type {string} */ url) => {
  const { status = 200, body } = answer(url);
  return Promise.resolve(new Response(JSON.stringify(body), { status }));
});

/** @type {WholeGame} */
const GAME = {
  game: 3, agent: "mcts", seed: 7, budget: null, score: 1200, highest: 128, n_moves: 1200, ending: "no-move-left",
  size: 4, four_share: 0.1, tiles: "random", goal: null, end: { kind: "no-move-left", fault: false, words: "no move is left", sentence: "no move is left" }, moves: "U".repeat(1200),
};

/**
 * The window that the server would send: after move `n` the score is `n`.
 * @param {string} url
 * @returns {StepList}
 */
const windowAt = (url) => {
  const from = Number(new URL(url, "http://localhost").searchParams.get("from"));
  const steps = Array.from({ length: 500 }, (_, index) => ({
    n: from + index + 1, score: from + index + 1, board: [from + index + 1], direction: /** @type {const} */ ("U"), gain: 1, slides: [], spawn: { cell: 0, exponent: 1 },
  }));
  return { from, board: [from], score: from, steps };
};

test("each window of a recorded game is fetched once", async () => {
  const server = mockServer((url) => ({ body: windowAt(url) }));
  const game = new RecordedGame("my run", GAME);
  for (const number of [0, 1, 200, 201, 1000, 1001, 1200, 9999]) {
    const position = await game.at(number);
    assert.equal(position.score, Math.min(number, 1200));
    assert.equal(position.step === null, number === 0);
  }
  const urls = server.mock.calls.map((call) => call.arguments[0]);
  assert.deepEqual(urls, [0, 200, 800, 1000].map((from) => `/api/runs/my%20run/games/3/steps?from=${from}&count=200`));
});

test("a window that could not be fetched is requested again", async () => {
  let isDown = true;
  mockServer((url) => (isDown ? { status: 500, body: {} } : { body: windowAt(url) }));
  const game = new RecordedGame("t", GAME);
  await assert.rejects(game.at(1), { message: "the server responded with status 500" });
  isDown = false;
  assert.equal((await game.at(1)).score, 1);
});

test("a rejected request carries its diagnostics", async () => {
  const diagnostics = [{ field: "seed", message: "a seed is a whole number" }];
  mockServer(() => ({ status: 422, body: { diagnostics } }));
  await assert.rejects(get("/api/x"), (error) => error instanceof RequestError && error.status === 422 && error.diagnostics[0]?.field === "seed");
});

test("the parts of a path are encoded", () => {
  assert.equal(path`/api/runs/${"../a b"}/games/${3}`, "/api/runs/..%2Fa%20b/games/3");
});

/** @type {(agent: string, score: number, run: string | null, detail: string) => GameResult} */
const result = (agent, score, run, detail) => ({
  agent, detail, score, highest: 8, n_moves: 9, ending: "no-move-left", source: run ?? "played here", run, game: run === null ? null : 0,
});

test("the same game in several runs is one result, and it can be replayed", () => {
  const results = distinct([result("mcts", 5, null, "{\"runs\":10}"), result("mcts", 5, "t", ""), result("mcts", 6, null, "")]);
  assert.deepEqual(results.map(({ score, run, detail }) => [score, run, detail]), [[5, "t", "{\"runs\":10}"], [6, null, ""]]);
});

test("bars start at zero, so that nearly equal values look nearly equal", () => {
  assert.deepEqual(barLengths([10, null, 20, 15]), [0.5, 0, 1, 0.75]);
  assert.deepEqual(barLengths([7, 7, null, null]), [1, 1, 0, 0]);
  assert.deepEqual(barLengths([-10, -5, 0, null]), [0.02, 0.5, 1, 0]);
  assert.deepEqual(placesOf([10, null, 20, 10]), [2, null, 1, 2]);
});

test("the address of a replay names the move", () => {
  assert.deepEqual(splitMove(["t", "3", "5@120"]), { names: ["t", "3", "5"], move: 120 });
  assert.deepEqual(splitMove(["t", "3"]), { names: ["t", "3"], move: null });
  assert.deepEqual(splitMove([]), { names: [], move: null });
});

test("the work that an agent reported is a short text", () => {
  assert.equal(effortInWords({ values: [], depth: 4, nodes: 12345, cpu_us: 1430, numbers: [["hits", 0.5], ["visits", 20]], text: null }), "4 moves deep · 12,345 nodes · hits 0.5000 · visits 20 · 1.43 ms CPU");
  assert.equal(effortInWords({ values: [], depth: null, nodes: null, cpu_us: 5, numbers: [], text: null }), "5.00 µs CPU");
});

test("of two agents seed by seed, the games that differ most come first", () => {
  const pairs = [{ seed: 1, one: 100, other: null }, { seed: 2, one: 200, other: 250 }, { seed: 3, one: 300, other: 10 }];
  assert.deepEqual(mostDifferent(pairs).map(({ seed }) => seed), [3, 2]);
  assert.equal(winsInWords(pairs, "a", "b"), "Of the 2 common seeds shown, a won 1 and b 1.");
  assert.equal(winsInWords([{ one: null, other: 5_000 }, { one: 7, other: 7 }], "a", "b"), "Of the 1 common seed shown, a won 0 and b 0; 1 is tied.");
});

test("of many results the best are listed, and those beside the person's own", () => {
  const rows = Array.from({ length: 70 }, (_, place) => ({ place, isOwn: place === 40 }));
  assert.deepEqual(notableRows(rows).map(({ place }) => place), [0, 1, 2, 3, 4, 39, 40, 41]);
  assert.deepEqual(notableRows(rows.slice(0, 7)).map(({ place }) => place), [0, 1, 2, 3, 4]);
});

test("the board before a move is found from where its tiles came from", () => {
  /** @type {[number, number][]} */
  const slides = [[0, 0], [1, 0], [3, 2]];
  const step = { direction: /** @type {const} */ ("L"), gain: 8, slides, spawn: { cell: 3, exponent: 1 } };
  assert.deepEqual(boardBefore(step, [3, 0, 1, 1]), [2, 2, 0, 1]);
});

test("a swipe has the direction of its longer side", () => {
  assert.equal(swipeDirection(30, 10), "R");
  assert.equal(swipeDirection(-30, 10), "L");
  assert.equal(swipeDirection(5, 40), "D");
  assert.equal(swipeDirection(5, -40), "U");
  assert.equal(swipeDirection(23, 23), null);
});

test("a seed is a whole number that JavaScript represents exactly", () => {
  assert.equal(parseSeed("9007199254740991"), 9007199254740991);
  for (const text of ["9007199254740992", "-1", "1.5", "", "1e3"]) assert.equal(parseSeed(text), null, text);
});

test("the label of a budget fills the form", () => {
  assert.deepEqual(budgetFromLabel(null), { kind: "none" });
  assert.deepEqual(budgetFromLabel("1000 nodes"), { kind: "nodes", nodes: "1000" });
  assert.deepEqual(budgetFromLabel("2ms cpu"), { kind: "time", perMove: "2ms" });
});

test("an error belongs to its field or to the field that contains it", () => {
  const fields = [{ path: "budget" }, { path: "budget.nodes" }, { path: "agents.0.plugin" }];
  assert.equal(fieldAt(fields, "budget.nodes")?.path, "budget.nodes");
  assert.equal(fieldAt(fields, "budget.per_move")?.path, "budget");
  assert.equal(fieldAt(fields, "agents"), undefined);
});
