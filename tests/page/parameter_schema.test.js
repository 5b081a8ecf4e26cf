// JSON Schemas of parameters, reduced to what a form field needs.
import assert from "node:assert/strict";
import { test } from "node:test";

import { choicesOf, firstParagraph, rangeInWords, simplify } from "../../host/crates/serve/src/page/forms/parameter_schema.js";
/** @import { JsonSchema } from "../../host/crates/serve/src/page/net/server_json.js" */

test("null in the type makes a parameter optional", () => {
  assert.deepEqual(simplify({ type: ["integer", "null"], minimum: 1 }, {}), { core: { type: "integer", minimum: 1 }, isOptional: true });
  assert.deepEqual(simplify({ type: "integer" }, {}), { core: { type: "integer" }, isOptional: false });
});

test("null as a branch makes a parameter optional", () => {
  const schema = { description: "d", anyOf: [{ type: "number" }, { type: "null" }] };
  assert.deepEqual(simplify(schema, {}), { core: { description: "d", type: "number" }, isOptional: true });
});

test("references are followed, and the parameter overrides what they refer to", () => {
  // The types of JSON Schema list the keywords of fields only; `$defs` is found by its path.
  const root = /** @type {JsonSchema} */ ({ $defs: { Mode: { type: "string", enum: ["a", "b"], description: "general" } } });
  const { core } = simplify({ $ref: "#/$defs/Mode", description: "own" }, root);
  assert.deepEqual(core, { type: "string", enum: ["a", "b"], description: "own" });
  assert.deepEqual(simplify({ allOf: [{ $ref: "#/$defs/Mode" }] }, root).core.enum, ["a", "b"]);
  assert.deepEqual(simplify({ $ref: "#/$defs/Missing" }, root).core, {});
});

test("a schema that refers to itself does not hang", () => {
  const root = /** @type {JsonSchema} */ ({ $defs: { Loop: { $ref: "#/$defs/Loop" } } });
  assert.equal(simplify({ $ref: "#/$defs/Loop" }, root).core.$ref, "#/$defs/Loop");
});

test("choices are found however an enumeration is written", () => {
  assert.deepEqual(choicesOf({ enum: ["a", null, 3] }, {}), [{ value: "a", label: "a" }, { value: 3, label: "3" }]);
  const branches = { oneOf: [{ const: "fast", description: "few moves" }, { enum: ["slow"] }] };
  assert.deepEqual(choicesOf(branches, {}), [{ value: "fast", label: "fast", help: "few moves" }, { value: "slow", label: "slow" }]);
  assert.equal(choicesOf({ oneOf: [{ type: "string" }] }, {}), null);
  assert.equal(choicesOf({ type: "integer" }, {}), null);
});

test("the range of a number is a sentence", () => {
  assert.equal(rangeInWords({ minimum: 1, maximum: 1000 }), "1 to 1,000.");
  assert.equal(rangeInWords({ minimum: 0 }), "At least 0.");
  assert.equal(rangeInWords({ maximum: 8 }), "At most 8.");
  assert.equal(rangeInWords({}), "");
});

test("only the first paragraph of a description is shown", () => {
  assert.equal(firstParagraph("Search `depth`\nin moves.\n\nMore."), "Search depth in moves.");
});
