// Sentences of the page: endings, directions, parameters, comparisons, progress.
import assert from "node:assert/strict";
import { test } from "node:test";

import { comparisonInWords, leaderOf } from "../../host/crates/serve/src/page/games/comparison.js";
import { budgetInWords } from "../../host/crates/serve/src/page/text/budget_label.js";
import { linePath } from "../../host/crates/serve/src/page/games/course_chart.js";
import { partingOf } from "../../host/crates/serve/src/page/games/parting.js";
import { gamesPerSecond, timeLeftInWords } from "../../host/crates/serve/src/page/views/progress.js";
import { afterHeadline, headline } from "../../host/crates/serve/src/page/text/ending.js";
import { parametersInWords } from "../../host/crates/serve/src/page/text/parameters.js";
import { extremeAddress, parseExtreme } from "../../host/crates/serve/src/page/text/replay_address.js";
/** @import { ComparedGame } from "../../host/crates/serve/src/page/games/comparison.js" */
/** @import { CurvePoint, GameEnding, RunRanking } from "../../host/crates/serve/src/page/net/server_json.js" */

/** @param {Partial<GameEnding>} ending */
const sentence = (ending) => {
  const whole = { kind: "", fault: false, words: "", sentence: "", ...ending };
  return headline("mcts", whole) + afterHeadline(whole);
};

test("a regular ending is a sentence of its own", () => {
  assert.equal(sentence({ sentence: "no move is left" }), "Game over: no move is left");
});

test("a fault names the agent and is not repeated", () => {
  assert.equal(sentence({ fault: true, words: "crashed", sentence: "crashed with SIGSEGV" }), "mcts crashed with SIGSEGV");
  assert.equal(sentence({ fault: true, words: "crashed", sentence: "its process died" }), "mcts crashed: its process died");
});

test("a game that was stopped has no sentence", () => {
  assert.equal(sentence({ kind: "stopped", words: "stopped", sentence: "was stopped" }), "Stopped");
});

test("times of budgets have units as people write them", () => {
  assert.equal(budgetInWords("500us cpu, bank 2ms"), "500 µs cpu, bank 2 ms");
  assert.equal(budgetInWords("1000 nodes"), "1000 nodes");
});

test("parameters are a short text", () => {
  assert.equal(parametersInWords({}), "");
  assert.equal(parametersInWords({ depth: 4, mode: "fast", weights: [1, 2] }), "depth: 4, mode: fast, weights: [1,2]");
});

/** @type {(name: string, score: number, moves: string, highest: number, nEmpty: number) => ComparedGame} */
const game = (name, score, moves, highest, nEmpty) => ({ name, score, moves, highest, nEmpty });

test("a comparison is about the boards", () => {
  const games = [game("a", 100, "ULD", 256, 3), game("b", 1300, "ULR", 512, 8)];
  assert.equal(comparisonInWords(games), "Highest tile: a 256, b 512. Empty cells: a 3, b 8.");
  assert.equal(leaderOf(games)?.name, "b");
  assert.equal(comparisonInWords([game("a", 8, "UL", 8, 3), game("b", 8, "UL", 8, 4)]), "Both have 8. Empty cells: a 3, b 4.");
});

test("games with the same score have no leader", () => {
  assert.equal(leaderOf([game("a", 8, "UL", 8, 3), game("b", 8, "UL", 8, 3)]), null);
  assert.equal(leaderOf([game("a", 4, "U", 4, 3)]), null);
});

test("before the first move there is nothing to compare", () => {
  const games = [game("a", 0, "", 2, 14), game("b", 0, "", 2, 14)];
  assert.equal(comparisonInWords(games), "All agents play the same tiles, move by move.");
  assert.equal(leaderOf(games), null);
});

/** @type {CurvePoint[]} */
const SHORT = [[0, 0, 1, 14], [100, 900, 7, 4], [150, 1500, 7, 0]];
/** @type {CurvePoint[]} */
const LONG = [[0, 0, 1, 14], [110, 900, 7, 6], [140, 1900, 8, 7], [400, 5000, 9, 0]];

test("games part at the first tile that only one of them makes", () => {
  const { text, landmarks } = partingOf({ name: "a", points: SHORT }, { name: "b", points: LONG });
  assert.equal(text, "Both reach 128; only b reaches 256, on move 140. a ends on move 150 with 0 empty cells; b then has 7.");
  assert.deepEqual(landmarks, [{ move: 140, text: "b makes 256" }, { move: 140, text: "The last moves of a" }]);
});

test("games with the same highest tile differ in when they made it", () => {
  const { text } = partingOf({ name: "a", points: SHORT }, { name: "b", points: LONG.slice(0, 2) });
  assert.equal(text, "Both reach 128; a is 10 moves earlier. b ends on move 110 with 6 empty cells; a then has 4.");
});

test("a course is scaled to its drawing", () => {
  assert.equal(linePath([[0, 1], [2 / 3, 4 / 14], [1, 0]]), "M0.0 2.0L666.7 113.4L1000.0 158.0");
});

test("the rate of a run is that of the last minute", () => {
  assert.equal(gamesPerSecond([{ at: 0, recorded: 10 }, { at: 4000, recorded: 60 }]), 12.5);
  assert.equal(gamesPerSecond([{ at: 0, recorded: 10 }]), null);
});

test("the time left is that of the games that are missing now", () => {
  /** @type {(missing: number, hasStopRule?: boolean) => RunRanking} */
  const ranking = (missing, hasStopRule = false) => ({ recorded: 50, missing, has_stop_rule: hasStopRule, has_disqualified: false, html: "" });
  assert.equal(timeLeftInWords({ recorded: 60 }, ranking(2010), 12.5), "12 games per second · about 3 min left");
  assert.equal(timeLeftInWords({ recorded: 60 }, ranking(40), 0.05), "3.0 games per minute · about 10 min left");
  assert.equal(timeLeftInWords({ recorded: 60 }, ranking(40, true), 0.05), "3.0 games per minute · about 10 min to the next look");
  // The look has passed, and the games up to the next one are not counted yet.
  assert.equal(timeLeftInWords({ recorded: 95 }, ranking(40, true), 0.05), "3.0 games per minute");
  assert.equal(timeLeftInWords({ recorded: 60 }, null, 0.05), "3.0 games per minute");
  assert.equal(timeLeftInWords({ recorded: 60 }, ranking(40), null), "");
});

test("the address of an agent's worst game is read again", () => {
  /** @type {import("../../host/crates/serve/src/page/text/replay_address.js").GameExtreme} */
  const worst = { order: "worst", agent: "mcts", budget: "1ms cpu" };
  assert.equal(extremeAddress("t", worst), "#replay/t/worst%3Amcts%3A1ms%20cpu");
  assert.deepEqual(parseExtreme("worst:mcts:1ms cpu"), worst);
  assert.deepEqual(parseExtreme("best:mcts"), { order: "best", agent: "mcts", budget: null });
  assert.equal(parseExtreme("12"), null);
});
