// The page writes numbers as the host does: both are tested with the same examples.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { amount, count, counted, microseconds, percent, percentWithDigits } from "../../host/crates/report/src/html/shared/number.js";
import { behindBest } from "../../host/crates/serve/src/page/games/move_evaluation.js";

/** @type {Record<string, [number, string][]>} */
const EXAMPLES = JSON.parse(readFileSync(new URL("../fixtures/number-texts.json", import.meta.url), "utf8"));

/** @type {Record<string, (number: number) => string>} */
const FUNCTIONS = { count, amount, percent, percent_with_digits: percentWithDigits, microseconds };

test("every list of examples has its function", () => {
  assert.deepEqual(Object.keys(EXAMPLES).sort(), Object.keys(FUNCTIONS).sort());
});

for (const [name, write] of Object.entries(FUNCTIONS)) {
  test(`${name} rounds as the host does`, () => {
    const examples = EXAMPLES[name] ?? [];
    assert.ok(examples.length > 0);
    for (const [number, text] of examples) assert.equal(write(number), text, `${name}(${number})`);
  });
}

test("a noun is in the plural except for one", () => {
  assert.equal(counted(0, "game"), "0 games");
  assert.equal(counted(1, "game"), "1 game");
  assert.equal(counted(1200, "move"), "1,200 moves");
});

test("a value that is not the best is written as how far it is behind", () => {
  assert.deepEqual(behindBest([4.44e12, 4.41e12, null, -1e12]), ["best", "30.0 G", "–", "5.44 T"]);
  assert.deepEqual(behindBest([1.23456, 1.2, null, null]), ["best", "0.0346", "–", "–"]);
  assert.deepEqual(behindBest([4321.5, 4000, 10, 0]), ["best", "322", "4,312", "4,322"]);
  assert.deepEqual(behindBest([-123456.7, -200000, null, null]), ["best", "76,543", "–", "–"]);
  assert.deepEqual(behindBest([0, -1, null, null]), ["best", "1.00", "–", "–"]);
  assert.deepEqual(behindBest([0.00001, null, null, null]), ["best", "–", "–", "–"]);
});
