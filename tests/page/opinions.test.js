// What agents say about games of others: the pure parts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { moveOfScore, pointAt, roundTicks } from "../../host/crates/serve/src/page/games/course_chart.js";
import { opinionLines } from "../../host/crates/serve/src/page/games/opinions.js";
import { agreementInWords, disagreementInWords, turningPoints } from "../../host/crates/serve/src/page/games/turning_points.js";
import { splitEvents } from "../../host/crates/serve/src/page/net/questions.js";
/** @import { Answer, CurvePoint, Direction, GameThoughts } from "../../host/crates/serve/src/page/net/server_json.js" */

/**
 * @param {number} n
 * @param {Direction | null} played
 * @param {Direction} direction
 * @param {(number | null)[]} values of up, right, down and left
 * @returns {Answer}
 */
const answer = (n, played, direction, values) => ({
  kind: "answer", agent: 0, n, played, direction, evaluation: { values, depth: 3, nodes: 10, cpu_us: 5, numbers: [], text: null },
});

const WALKED = [
  answer(0, "U", "U", [100, 90, null, null]),
  answer(10, "R", "U", [100, 90, null, null]),
  answer(20, "L", "D", [null, null, 500, 100]),
  answer(30, "L", "D", [null, null, 7, 7]),
  answer(40, null, "D", [null, null, 7, 7]),
];

test("turning points are where the asked agent disagrees most", () => {
  assert.deepEqual(turningPoints(WALKED).map(({ n }) => n), [20, 10, 30]);
  const close = [...WALKED, answer(22, "L", "D", [null, null, 400, 100])];
  assert.deepEqual(turningPoints(close).map(({ n }) => n), [20, 10, 30], "one mistake is listed once");
  assert.equal(agreementInWords(WALKED), "agrees with 25.0% of 4 moves");
});

test("a disagreement is described in the units of the agent", () => {
  const words = WALKED.map(disagreementInWords);
  assert.deepEqual(words, [
    "as played",
    "instead of → right, which it rates 10.0 lower",
    "instead of ← left, which it rates 400 lower",
    "instead of ← left, which it rates the same",
    "",
  ]);
  assert.equal(disagreementInWords(answer(0, "U", "L", [null, null, null, null])), "instead of ↑ up");
});

test("events are complete lines, however they arrive", () => {
  const { events, left } = splitEvents("data: {\"kind\":\"done\",\"agent\":1}\n\n:\n\ndata: {\"ki");
  assert.deepEqual(events, [{ kind: "done", agent: 1 }]);
  assert.equal(left, "data: {\"ki");
});

test("a point of a course is found by its move, a move by its score", () => {
  /** @type {CurvePoint[]} */
  const points = [[0, 0, 1, 14], [3, 8, 2, 12], [9, 40, 4, 7]];
  assert.deepEqual([0, 2, 3, 100].map((move) => pointAt(points, move)?.[0]), [0, 0, 3, 9]);
  assert.deepEqual([0, 1, 8, 9, 99].map((score) => moveOfScore(points, score)), [0, 3, 3, 9, 9]);
});

test("what a player reported is drawn, and read from the move that is shown", () => {
  /** @type {GameThoughts} */
  const thoughts = { values: [[2, 5], [7, 6, 4, 9]], depths: [], cpu_us: [[2, 9]], numbers: {}, longest_text: null };
  const lines = opinionLines(["a"], [thoughts], []);
  assert.deepEqual(lines.map(({ name }) => name), ["a's own value", "CPU time"]);
  const [curve] = lines[0]?.curves ?? [];
  assert.deepEqual(curve?.points, thoughts.values);
  const position = { n: 3, board: [], score: 0, step: null, thought: { value: 5.5, depth: null, cpu_us: 8 } };
  assert.deepEqual(lines.map(({ read }) => curve && read?.(position, curve)), [5.5, 8]);
});

test("numbers of an agent's own have a curve each", () => {
  const nothing = { values: [], depths: [], cpu_us: [], longest_text: null };
  /** @type {[number, number]} */
  const point = [1, 1];
  const lines = opinionLines(["a", "b"], [{ ...nothing, numbers: { hits: [point], "play-outs": [point] } }, { ...nothing, numbers: { hits: [[2, 2]] } }], []);
  assert.deepEqual(lines.map(({ name }) => name), ["a: hits", "a: play-outs", "b: hits"]);
  assert.deepEqual(lines[2]?.curves, [{ game: 1, name: "b", points: [[2, 2]] }]);
});

test("ticks are round and few", () => {
  assert.deepEqual(roundTicks(0, 26_762), [0, 5000, 10_000, 15_000, 20_000, 25_000]);
  assert.deepEqual(roundTicks(-3, 5), [-2, 0, 2, 4]);
  assert.deepEqual(roundTicks(7, 7), [7]);
});
