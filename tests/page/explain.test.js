// Trees and positions of explanations without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cellsOf, explainAddress, notationOf, parsePosition, settingsOf } from "../../host/crates/serve/src/page/explain/position.js";
import { childrenOf, firstOpen, layOut, subtreesOf } from "../../host/crates/serve/src/page/explain/tree_layout.js";
import { boundText, cutText, factsOf, leadOf, valueText } from "../../host/crates/serve/src/page/text/search_words.js";
/** @import { ExplainedNode } from "../../host/crates/serve/src/page/net/server_json.js" */

const BOARD = [[2, 4], [0, 8]];

/**
 * Nodes with these parents, the first of which is the root.
 * @param {...number} parents
 * @returns {ExplainedNode[]}
 */
const tree = (...parents) => [{ kind: "max", board: BOARD }, ...parents.map((parent) => ({ kind: /** @type {const} */ ("leaf"), parent, board: BOARD }))];

test("a node stands in the row of its first child, and rows do not overlap", () => {
  const nodes = tree(0, 1, 1, 0, 4);
  const children = childrenOf(nodes);
  assert.deepEqual(children, [[1, 4], [2, 3], [], [], [5], []]);
  const places = layOut(children, new Set([0, 1, 4])).map(({ index, level, row }) => [index, level, row]);
  assert.deepEqual(places, [[0, 0, 0], [1, 1, 0], [2, 2, 0], [3, 2, 1], [4, 1, 2], [5, 2, 2]]);
  const folded = layOut(children, new Set([0])).map(({ index, row }) => [index, row]);
  assert.deepEqual(folded, [[0, 0], [1, 0], [4, 1]]);
});

test("the search of a node is complete with the last node below it", () => {
  const { below, last } = subtreesOf(tree(0, 1, 1, 0, 4));
  assert.deepEqual(below, [5, 2, 0, 0, 1, 0]);
  assert.deepEqual(last, [5, 3, 2, 3, 5, 5]);
});

test("levels are opened as long as they fit, the first in any case", () => {
  const children = childrenOf(tree(0, 0, 1, 1, 1, 2));
  assert.deepEqual([...firstOpen(children, 1)], [0]);
  assert.deepEqual([...firstOpen(children, 5)], [0, 2]);
  assert.deepEqual([...firstOpen(children, 9)], [0, 1, 2]);
});

test("a tree of two thousand levels is laid out", () => {
  const nodes = tree(...Array.from({ length: 1999 }, (_, index) => index));
  const children = childrenOf(nodes);
  assert.equal(layOut(children, new Set(nodes.keys())).at(-1)?.level, 1999);
});

test("an address holds a board and its rules", () => {
  const cells = cellsOf(BOARD);
  assert.deepEqual(cells, [1, 2, 0, 3]);
  assert.equal(notationOf(cells), "2 4/0 8");
  const settings = settingsOf({ four_share: 0.2, tiles: "deterministic", goal: 16 });
  const address = explainAddress(cells, settings);
  assert.equal(address, "#explain/2,4/0,8/four=0.2/tiles=deterministic/goal=16");
  assert.deepEqual(parsePosition(address.split("/").slice(1)), { board: "2 4/0 8", settings });
  assert.deepEqual(settingsOf({ four_share: 0.1 }), {});
  assert.deepEqual(parsePosition([]), { board: null, settings: {} });
});

// As in `host explain`: `numbers_have_the_digits_that_count`.
test("values have the digits that count", () => {
  const texts = [-4804, 0, 17.25, 123.456, 0.01234, 1e15, 311721812552].map(boundText);
  assert.deepEqual(texts, ["−4,804", "0", "17.25", "123.5", "0.0123", "1.00000e15", "311,721,812,552"]);
  assert.equal(boundText("-inf"), "−∞");
});

test("nodes are said in words", () => {
  /** @type {ExplainedNode} */
  const cut = { kind: "min", parent: 0, move: "down", alpha: -4824, beta: "inf", value: -8980, relation: "at-most", cut: { reason: "alpha", bound: -4824, skipped: 1 }, board: BOARD };
  assert.equal(leadOf(cut), "↓ down");
  assert.equal(valueText(cut), "≤ −8,980");
  assert.equal(cutText(cut), "1 cut: ≤ α −4,824");
  assert.deepEqual(factsOf(cut), ["1 cut: ≤ α −4,824", "α −4,824 · β ∞"]);
  assert.equal(leadOf({ kind: "leaf", parent: 1, tile: 4, cell: 2, board: BOARD }), "4 at a2");
});
