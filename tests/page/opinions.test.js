// What agents say about games of others: the pure parts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { moveOfScore, pointAt } from "../../host/crates/serve/src/page/games/course_chart.js";
import { opinionLines } from "../../host/crates/serve/src/page/games/opinions.js";
import { agreementInWords, disagreementInWords, turningPoints } from "../../host/crates/serve/src/page/games/turning_points.js";
import { splitEvents } from "../../host/crates/serve/src/page/net/questions.js";
/** @import { Answer, CurvePoint, Direction } from "../../host/crates/serve/src/page/net/server_json.js" */

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

test("values that an agent did not report leave gaps", () => {
  const lines = opinionLines(["a"], [{ values: [null, 5, 6], depths: [null, null, null], cpu_us: [9, 9, 9] }], []);
  assert.deepEqual(lines.map(({ name }) => name), ["a's own value", "CPU time"]);
  assert.deepEqual(lines[0]?.curves[0]?.points, [[2, 5], [3, 6]]);
});

test("numbers of an agent's own have a curve each", () => {
  const nothing = { values: [null, null], depths: [null, null], cpu_us: [9, 9] };
  const lines = opinionLines(["a", "b"], [{ ...nothing, numbers: { hits: [null, 0.5], "play-outs": [7, 8] } }, { ...nothing, numbers: { hits: [1, 2] } }], []);
  assert.deepEqual(lines.map(({ name }) => name), ["a: hits", "a: play-outs", "b: hits", "CPU time"]);
  assert.deepEqual(lines[2]?.curves, [{ game: 1, name: "b", points: [[1, 1], [2, 2]] }]);
});
