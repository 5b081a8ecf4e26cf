// The page writes numbers as the host does: both are tested with the same examples.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { amount, count, counted, microseconds, percent, percentWithDigits } from "../../host/src/report/html/number.js";
import { agentValue } from "../../host/src/serve/page/games/move_evaluation.js";

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

test("values of agents have four digits, or all digits before the decimal point", () => {
  assert.equal(agentValue(0), "0");
  assert.equal(agentValue(1.23456), "1.235");
  assert.equal(agentValue(-123456.7), "-123,457");
  assert.equal(agentValue(0.00001), "1.00e-5");
  assert.equal(agentValue(12345678), "1.23e+7");
});
