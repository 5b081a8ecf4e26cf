// Tests of the first move at which games on the same tiles differ.
import assert from "node:assert/strict";
import { test } from "node:test";

import { firstDifference } from "../../host/src/serve/page/games/first_difference.js";

test("the first differing move is counted from 1", () => {
  assert.equal(firstDifference(["ULDR", "ULRR"]), 3);
  assert.equal(firstDifference(["U", "D"]), 1);
});

test("of several games the earliest difference counts", () => {
  assert.equal(firstDifference(["ULDRU", "ULDRD", "ULDLU"]), 4);
});

test("games that agree as far as both go do not differ", () => {
  assert.equal(firstDifference(["ULD", "ULDR"]), null);
  assert.equal(firstDifference(["", "U"]), null);
  assert.equal(firstDifference(["U"]), null);
  assert.equal(firstDifference([]), null);
});
