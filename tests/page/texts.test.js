// Sentences of the page: endings, directions, parameters, comparisons, progress.
import assert from "node:assert/strict";
import { test } from "node:test";

import { comparisonInWords, leaderOf } from "../../host/src/serve/page/games/comparison.js";
import { directionOfMove } from "../../host/src/serve/page/text/directions.js";
import { afterHeadline, headline, recordedEnding } from "../../host/src/serve/page/text/ending.js";
import { parametersInWords } from "../../host/src/serve/page/text/parameters.js";

/**
 * @param {string} ending
 * @param {string | null} fault
 */
const sentence = (ending, fault) => {
  const recorded = recordedEnding({ ending, fault });
  return headline("mcts", recorded) + afterHeadline(recorded);
};

test("a regular ending is a sentence of its own", () => {
  assert.equal(sentence("no-move-left", null), "Game over: no move is left");
  assert.equal(sentence("goal-reached", null), "Game over: the goal is reached");
});

test("a fault names the agent and is not repeated", () => {
  assert.equal(sentence("crash", "crashed with SIGSEGV"), "mcts crashed with SIGSEGV");
  assert.equal(sentence("crash", "its process died"), "mcts crashed: its process died");
  assert.equal(sentence("new-kind", "did something new"), "mcts committed a fault (new-kind): did something new");
});

test("a game that was stopped has no sentence", () => {
  const ending = { kind: "stopped", fault: false, sentence: "was stopped" };
  assert.equal(headline("mcts", ending) + afterHeadline(ending), "Stopped");
});

test("the direction of a move is counted from 1", () => {
  assert.equal(directionOfMove("ULDR", 1), "U");
  assert.equal(directionOfMove("ULDR", 4), "R");
  assert.equal(directionOfMove("ULDR", 5), undefined);
});

test("parameters are a short text", () => {
  assert.equal(parametersInWords({}), "");
  assert.equal(parametersInWords({ depth: 4, mode: "fast", weights: [1, 2] }), "depth: 4, mode: fast, weights: [1,2]");
});

/** @type {(name: string, score: number, moves: string) => { name: string, score: number, moves: string }} */
const game = (name, score, moves) => ({ name, score, moves });

test("a comparison names the leader and the first difference", () => {
  const games = [game("a", 100, "ULD"), game("b", 1300, "ULR")];
  assert.equal(comparisonInWords(games), "b leads by 1,200; the games differ from move 3.");
  assert.equal(leaderOf(games)?.name, "b");
});

test("games with the same score are tied and have no leader", () => {
  const games = [game("a", 8, "UL"), game("b", 8, "UL")];
  assert.equal(comparisonInWords(games), "a and b are tied; so far all moves are the same.");
  assert.equal(leaderOf(games), null);
});

test("before the first move there is nothing to compare", () => {
  const games = [game("a", 0, ""), game("b", 0, "")];
  assert.equal(comparisonInWords(games), "All agents play the same tiles, move by move.");
  assert.equal(leaderOf(games), null);
  assert.equal(leaderOf([game("a", 4, "U")]), null);
});
