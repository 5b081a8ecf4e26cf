// A parameter of an agent as a field, made from the JSON Schema the plugin gives of it.
// What the schema forbids is not stopped here: the server knows best, and says it at the field.
import { element } from "./element.js";
import { Field } from "./field.js";

export const UNSET = Symbol("the default holds");

/** A field with `read()`, which gives a value, `UNSET`, or throws a sentence; and `fill(value)`. */
export const makeParameter = (path, name, schema, root) => {
  const { core, isOptional } = simplify(schema, root);
  const choices = choicesOf(core, root);
  const kind = choices ? choiceInput(choices, isOptional)
    : core.type === "boolean" && !isOptional ? tickInput()
    : core.type === "boolean" ? choiceInput([{ value: true, label: "yes" }, { value: false, label: "no" }], true)
    : core.type === "integer" || core.type === "number" ? numberInput(core, isOptional)
    : core.type === "string" ? textInput()
    : jsonInput();
  const field = new Field({ path, label: name, input: kind.input, help: helpOf(schema, core, kind.hasRange) });
  const usual = schema.default ?? core.default;
  field.fill = (value) => kind.write(value);
  field.read = () => {
    const value = kind.read();
    return value === UNSET || JSON.stringify(value) === JSON.stringify(usual) ? UNSET : value;
  };
  field.name = name;
  field.fill(usual);
  return field;
};

/** Follows references, and takes the null of an optional value apart from the rest. */
const simplify = (schema, root) => {
  let core = schema;
  let isOptional = false;
  // Schemas may refer to themselves; eight steps are more than any honest one takes.
  for (let depth = 0; depth < 8; depth++) {
    const branches = core.anyOf ?? core.oneOf;
    if (typeof core.$ref === "string") {
      core = { ...referred(core.$ref, root), ...without(core, "$ref") };
    } else if (core.allOf?.length === 1) {
      core = { ...core.allOf[0], ...without(core, "allOf") };
    } else if (Array.isArray(core.type) && core.type.includes("null")) {
      const types = core.type.filter((type) => type !== "null");
      core = { ...core, type: types.length === 1 ? types[0] : types };
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

const without = (object, ...names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

const referred = (reference, root) =>
  reference.split("/").slice(1).reduce((place, part) => (Object.hasOwn(Object(place), part) ? place[part] : {}), root);

/** The values of an enumeration, however it is written; null where it is none. */
const choicesOf = (core, root) => {
  if (Array.isArray(core.enum)) return core.enum.filter((value) => value !== null).map((value) => ({ value, label: String(value) }));
  const branches = core.oneOf ?? core.anyOf;
  if (!Array.isArray(branches)) return null;
  const choices = [];
  for (const branch of branches) {
    const { core: one } = simplify(branch, root);
    if (Object.hasOwn(one, "const")) choices.push({ value: one.const, label: String(one.const), help: one.description });
    else if (Array.isArray(one.enum)) choices.push(...one.enum.map((value) => ({ value, label: String(value) })));
    else return null;
  }
  return choices;
};

const choiceInput = (choices, isOptional) => {
  const all = isOptional ? [{ value: null, label: "not set" }, ...choices] : choices;
  const options = all.map(({ label, help }, place) => element("option", { value: place }, help ? `${label} – ${plain(help)}` : label));
  const input = element("select", {}, options);
  return {
    input,
    read: () => all[Number(input.value)]?.value ?? null,
    write: (value) => {
      const place = all.findIndex((choice) => choice.value === (value ?? null));
      input.value = String(Math.max(0, place));
    },
  };
};

const tickInput = () => {
  const input = element("input", { type: "checkbox" });
  return { input, read: () => input.checked, write: (value) => { input.checked = value === true; } };
};

const numberInput = (core, isOptional) => {
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
    hasRange: true,
    read: () => {
      if (input.validity.badInput) throw "this is not a number";
      return input.value === "" ? UNSET : Number(input.value);
    },
    write: (value) => { input.value = typeof value === "number" ? String(value) : ""; },
  };
};

const textInput = () => {
  const input = element("input", { type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  return { input, read: () => input.value, write: (value) => { input.value = value ?? ""; } };
};

const jsonInput = () => {
  const input = element("textarea", { rows: 3, spellcheck: "false" });
  return {
    input,
    read: () => {
      if (input.value.trim() === "") return UNSET;
      try {
        return JSON.parse(input.value);
      } catch {
        throw "this is not JSON";
      }
    },
    write: (value) => { input.value = value === undefined ? "" : JSON.stringify(value, null, 1); },
  };
};

const helpOf = (schema, core, hasRange) => {
  const text = plain(schema.description ?? core.description ?? "");
  const { minimum, maximum } = core;
  const range = !hasRange ? ""
    : minimum !== undefined && maximum !== undefined ? `${readable(minimum)} to ${readable(maximum)}.`
    : minimum !== undefined ? `At least ${readable(minimum)}.`
    : maximum !== undefined ? `At most ${readable(maximum)}.` : "";
  return [text, range].filter((part) => part !== "").join(" ");
};

const readable = (number) => number.toLocaleString("en");

/** Line ends within a description are where its source was wrapped. */
export const plain = (text) => String(text).split(/\n\s*\n/)[0].replaceAll("\n", " ").replaceAll("`", "");
