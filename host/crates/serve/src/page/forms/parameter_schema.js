// The JSON Schema of a parameter, reduced to what a form field needs to know.
/** @import { Json, JsonSchema } from "../net/server_json.js" */

// Schemas may refer to themselves. No reasonable schema needs more steps than this.
const MAX_STEPS = 8;

/** @typedef {{ value: Json, label: string, help?: string }} Choice */

/**
 * Follows references and separates the `null` of an optional value from the rest.
 * @param {JsonSchema} schema of the parameter
 * @param {JsonSchema} root the schema that contains it
 */
export const simplify = (schema, root) => {
  let core = schema;
  let isOptional = false;
  for (let step = 0; step < MAX_STEPS; step++) {
    const branches = core.anyOf ?? core.oneOf;
    const only = core.allOf?.length === 1 ? core.allOf[0] : undefined;
    if (typeof core.$ref === "string") {
      core = { ...referenced(core.$ref, root), ...without(core, "$ref") };
    } else if (only !== undefined) {
      core = { ...only, ...without(core, "allOf") };
    } else if (Array.isArray(core.type) && core.type.includes("null")) {
      const types = core.type.filter((type) => type !== "null");
      const [single] = types;
      core = { ...core, type: types.length === 1 && single !== undefined ? single : types };
      isOptional = true;
    } else if (branches?.some((branch) => branch.type === "null")) {
      const others = branches.filter((branch) => branch.type !== "null");
      core = { ...without(core, "anyOf", "oneOf"), ...(others.length === 1 ? others[0] : { anyOf: others }) };
      isOptional = true;
    } else {
      break;
    }
  }
  return { core, isOptional };
};

/**
 * @param {JsonSchema} schema
 * @param {...string} names
 * @returns {JsonSchema}
 */
const without = (schema, ...names) => Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));

/**
 * The schema at a reference such as `#/$defs/Mode`; an empty one if there is none.
 * @param {string} reference
 * @param {JsonSchema} root
 * @returns {JsonSchema}
 */
const referenced = (reference, root) => {
  /** @type {Record<string, unknown>} */
  let place = { ...root };
  for (const part of reference.split("/").slice(1)) {
    const next = Object.hasOwn(place, part) ? place[part] : undefined;
    if (typeof next !== "object" || next === null) return {};
    place = { ...next };
  }
  return place;
};

/**
 * The values of an enumeration, whichever way it is written; null if it is not one.
 * @param {JsonSchema} core
 * @param {JsonSchema} root
 * @returns {Choice[] | null}
 */
export const choicesOf = (core, root) => {
  if (Array.isArray(core.enum)) return core.enum.filter((value) => value !== null).map(choice);
  const branches = core.oneOf ?? core.anyOf;
  if (!Array.isArray(branches)) return null;
  const choices = [];
  for (const branch of branches) {
    const { core: one } = simplify(branch, root);
    if (one.const !== undefined) choices.push({ ...choice(one.const), ...(one.description === undefined ? {} : { help: one.description }) });
    else if (Array.isArray(one.enum)) choices.push(...one.enum.map(choice));
    else return null;
  }
  return choices;
};

/**
 * @param {Json} value
 * @returns {Choice}
 */
const choice = (value) => ({ value, label: typeof value === "string" ? value : JSON.stringify(value) });

/**
 * The valid range of a number: `1 to 8.`, `At least 1.`; empty if there is no limit.
 * @param {JsonSchema} core
 */
export const rangeInWords = ({ minimum, maximum }) => {
  if (minimum !== undefined && maximum !== undefined) return `${readable(minimum)} to ${readable(maximum)}.`;
  if (minimum !== undefined) return `At least ${readable(minimum)}.`;
  return maximum === undefined ? "" : `At most ${readable(maximum)}.`;
};

/** @param {number} number */
const readable = (number) => number.toLocaleString("en");

/**
 * The first paragraph of a description as plain text. A line break within a paragraph is
 * where the source code was wrapped.
 * @param {string} text
 */
export const firstParagraph = (text) => (text.split(/\n\s*\n/)[0] ?? "").replaceAll("\n", " ").replaceAll("`", "");
