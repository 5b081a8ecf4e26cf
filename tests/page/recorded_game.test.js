import assert from "node:assert/strict";
import test from "node:test";

import { RecordedGame } from "../../host/crates/report/src/html/recorded_game.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** @param {string} bits With blanks anywhere. */
const letters = (bits) => {
  const digits = bits.replaceAll(" ", "");
  const groups = digits.padEnd(Math.ceil(digits.length / 6) * 6, "0").match(/.{6}/g) ?? [];
  return groups.map((group) => LETTERS[Number.parseInt(group, 2)]).join("");
};

// A 2 in cell 0 and a 2 in cell 3 of a board of 2 x 2.
const START = "0010 00 0 11 0";

test("a tile slides, the next appears", () => {
  // Left: the tile in cell 0 stays, the tile in cell 3 goes to cell 2; a 4 appears in cell 1.
  const game = new RecordedGame(letters(`${START} 11 0 1 01 1`), 2, 1);
  assert.deepEqual(game.at(0), { cells: [1, 0, 0, 1], score: 0, direction: null, step: null });
  assert.deepEqual(game.at(1), {
    cells: [1, 2, 1, 0],
    score: 0,
    direction: 3,
    step: { slides: [[0, 0], [3, 2]], spawn: { cell: 1, exponent: 2 } },
  });
});

test("tiles that meet become one and score", () => {
  // Then up: the tile in cell 2 meets the one in cell 0; a 2 appears in cell 3.
  const game = new RecordedGame(letters(`${START} 11 0 1 01 1  00 0 0 1 11 0`), 2, 2);
  const { cells, score, step } = game.at(2);
  assert.deepEqual({ cells, score }, { cells: [2, 2, 0, 1], score: 4 });
  assert.deepEqual(step?.slides, [[0, 0], [1, 1], [2, 0]]);
});

test("positions far from the start are the same as those reached move by move", () => {
  // A single tile on 2 x 2 that goes around, with new tiles that replace each other.
  const around = ["01 1 01 0", "10 1 11 0", "11 1 10 0", "00 1 00 0"];
  const bits = Array.from({ length: 300 }, (_, number) => around[number % 4]).join("");
  const game = new RecordedGame(letters(`0001 00 0 ${bits}`), 2, 300);
  assert.deepEqual(game.at(299).cells, game.at(3).cells);
  assert.equal(game.at(300).direction, 0);
});
