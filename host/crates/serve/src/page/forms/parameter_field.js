// A field for one parameter of an agent, made from the JSON Schema of its plugin. The field
// accepts values that the schema forbids: the server checks them and reports errors.
import { element } from "../dom/element.js";
import { Field } from "./field.js";
import { choicesOf, firstParagraph, rangeInWords, simplify } from "./parameter_schema.js";
/** @import { Json, JsonSchema } from "../net/server_json.js" */
/** @import { Input } from "./field.js" */
/** @import { Choice } from "./parameter_schema.js" */

/** The input is empty or holds the default value; the request leaves the parameter out. */
export const UNSET = Symbol("unset");

/**
 * An input and how its value is read and written. `read` throws an `Error` if the text in
 * the input is not a value of its kind.
 * @typedef {object} Control
 * @property {Input} input
 * @property {() => Json | typeof UNSET} read
 * @property {(value: Json | undefined) => void} write
 */

export class ParameterField extends Field {
  /** @type {Control} */
  #control;
  /** @type {Json | undefined} */
  #usual;

  /**
   * @param {string} path
   * @param {string} name
   * @param {JsonSchema} schema of the parameter
   * @param {JsonSchema} root the schema that contains it
   */
  constructor(path, name, schema, root) {
    const { core, isOptional } = simplify(schema, root);
    const control = makeControl(core, isOptional, root);
    const description = firstParagraph(schema.description ?? core.description ?? "");
    const help = [description, isNumber(core) ? rangeInWords(core) : ""].filter((part) => part !== "");
    super({ path, label: name, input: control.input, help: help.join(" ") });
    this.name = name;
    this.#control = control;
    this.#usual = schema.default ?? core.default;
    this.fill(this.#usual);
  }

  /** @param {Json | undefined} value */
  fill(value) {
    this.#control.write(value);
  }

  /**
   * The value, or `UNSET` for the default. Throws an `Error` if the text is not a value.
   * @returns {Json | typeof UNSET}
   */
  read() {
    const value = this.#control.read();
    return value === UNSET || JSON.stringify(value) === JSON.stringify(this.#usual) ? UNSET : value;
  }
}

/** @param {JsonSchema} core */
const isNumber = (core) => core.type === "integer" || core.type === "number";

/**
 * @param {JsonSchema} core
 * @param {boolean} isOptional
 * @param {JsonSchema} root
 * @returns {Control}
 */
const makeControl = (core, isOptional, root) => {
  const choices = choicesOf(core, root);
  if (choices !== null) return choiceControl(choices, isOptional);
  if (core.type === "boolean") return isOptional ? choiceControl(YES_AND_NO, true) : checkboxControl();
  if (isNumber(core)) return numberControl(core, isOptional);
  return core.type === "string" ? textControl() : jsonControl();
};

/** @type {Choice[]} */
const YES_AND_NO = [{ value: true, label: "yes" }, { value: false, label: "no" }];

/**
 * @param {Choice[]} choices
 * @param {boolean} isOptional
 * @returns {Control}
 */
const choiceControl = (choices, isOptional) => {
  const all = isOptional ? [{ value: null, label: "not set" }, ...choices] : choices;
  const options = all.map(({ label, help }, index) => element("option", { value: index }, help ? `${label} – ${firstParagraph(help)}` : label));
  const input = element("select", {}, options);
  return {
    input,
    read: () => all[Number(input.value)]?.value ?? null,
    write: (value) => {
      const index = all.findIndex((choice) => choice.value === (value ?? null));
      input.value = String(Math.max(0, index));
    },
  };
};

/** @returns {Control} */
const checkboxControl = () => {
  const input = element("input", { type: "checkbox" });
  return { input, read: () => input.checked, write: (value) => { input.checked = value === true; } };
};

/**
 * @param {JsonSchema} core
 * @param {boolean} isOptional
 * @returns {Control}
 */
const numberControl = (core, isOptional) => {
  const input = element("input", {
    type: "number",
    inputmode: core.type === "integer" ? "numeric" : "decimal",
    step: core.type === "integer" ? "1" : "any",
    min: core.minimum,
    max: core.maximum,
    placeholder: isOptional ? "not set" : "default",
  });
  return {
    input,
    read: () => {
      if (input.validity.badInput) throw new Error("this is not a number");
      return input.value === "" ? UNSET : Number(input.value);
    },
    write: (value) => { input.value = typeof value === "number" ? String(value) : ""; },
  };
};

/** @returns {Control} */
const textControl = () => {
  const input = element("input", { type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  return { input, read: () => input.value, write: (value) => { input.value = typeof value === "string" ? value : ""; } };
};

/** @returns {Control} */
const jsonControl = () => {
  const input = element("textarea", { rows: 3, spellcheck: "false" });
  return {
    input,
    read: () => {
      if (input.value.trim() === "") return UNSET;
      try {
        return JSON.parse(input.value);
      } catch {
        throw new Error("this is not valid JSON");
      }
    },
    write: (value) => { input.value = value === undefined ? "" : JSON.stringify(value, null, 1); },
  };
};
