// A field of a form: label, input, help, and the error that the server found in it.
import { element } from "../dom/element.js";
/** @import { FieldDiagnostic } from "../net/server_json.js" */

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Input */

let nFields = 0;

/** @template {Input} [Control=Input] */
export class Field {
  /**
   * @param {object} options
   * @param {string} options.path the name of the field in requests, such as `agents.0.plugin`
   * @param {string} options.label
   * @param {Control} options.input
   * @param {string} [options.help]
   * @param {HTMLElement | null} [options.beside] a button next to the input
   */
  constructor({ path, label, input, help = "", beside = null }) {
    this.path = path;
    this.input = input;
    nFields += 1;
    input.id = `field-${nFields}`;
    this.help = element("p", { class: "help", id: `${input.id}-help` }, help);
    this.help.hidden = help === "";
    this.error = element("p", { class: "error", id: `${input.id}-error`, hidden: true });
    const caption = element("label", { for: input.id }, label);
    const isCheckbox = input.type === "checkbox";
    const row = element("div", { class: isCheckbox ? "checkbox" : "input" }, isCheckbox ? [input, caption] : [input, beside]);
    this.element = element("div", { class: "field", "data-field": path }, isCheckbox ? null : caption, row, this.error, this.help);
    this.#describe();
    // A message about the old value would be wrong about the new one.
    input.addEventListener("input", () => this.setError(""));
  }

  /** @param {string} text */
  setHelp(text) {
    this.help.textContent = text;
    this.help.hidden = text === "";
    this.#describe();
  }

  /** @param {string} message empty if the value is valid */
  setError(message) {
    this.error.textContent = message;
    this.error.hidden = message === "";
    if (message === "") this.input.removeAttribute("aria-invalid");
    else this.input.setAttribute("aria-invalid", "true");
    this.#describe();
  }

  #describe() {
    const ids = [this.error, this.help].filter((part) => !part.hidden).map((part) => part.id);
    if (ids.length === 0) this.input.removeAttribute("aria-describedby");
    else this.input.setAttribute("aria-describedby", ids.join(" "));
  }
}

/**
 * The field that an error belongs to: the field itself, or the one that contains it.
 * @template {{ path: string }} Candidate
 * @param {Candidate[]} fields
 * @param {string} path
 */
export const fieldAt = (fields, path) =>
  fields.find((field) => path === field.path) ?? fields.find((field) => path.startsWith(`${field.path}.`));

/**
 * Shows each error at its field, errors without a field in `rest`, and focuses the first
 * field with an error.
 * @param {Field[]} fields
 * @param {FieldDiagnostic[]} diagnostics
 * @param {HTMLElement} rest
 */
export const showDiagnostics = (fields, diagnostics, rest) => {
  for (const field of fields) field.setError("");
  const withoutField = [];
  const invalid = new Set();
  for (const { field: path, message } of diagnostics) {
    const field = fieldAt(fields, path);
    if (field) {
      field.setError(message);
      field.element.closest("details")?.setAttribute("open", "");
      invalid.add(field);
    } else {
      withoutField.push(path === "" ? message : `${path}: ${message}`);
    }
  }
  rest.textContent = withoutField.join("\n");
  rest.hidden = withoutField.length === 0;
  const first = fields.find((field) => invalid.has(field));
  if (first) first.input.focus();
  else if (withoutField.length > 0) rest.scrollIntoView({ block: "center" });
};
