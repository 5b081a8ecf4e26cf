// A field of a form: label, input, help, and the mistake that the server found in it.
import { element } from "./element.js";

let nFields = 0;

export class Field {
  constructor({ path, label, input, help = "", beside = null }) {
    this.path = path;
    this.input = input;
    nFields += 1;
    input.id = `field-${nFields}`;
    this.help = element("p", { class: "help", id: `${input.id}-help` }, help);
    this.help.hidden = help === "";
    this.mistake = element("p", { class: "mistake", id: `${input.id}-mistake`, hidden: true });
    const caption = element("label", { for: input.id }, label);
    const isTick = input.type === "checkbox";
    const row = element("div", { class: isTick ? "tick" : "input" }, isTick ? [input, caption] : [input, beside]);
    this.element = element("div", { class: "field", "data-field": path }, isTick ? null : caption, row, this.mistake, this.help);
    this.describe();
  }

  setHelp(text) {
    this.help.textContent = text;
    this.help.hidden = text === "";
    this.describe();
  }

  setMistake(message) {
    this.mistake.textContent = message;
    this.mistake.hidden = message === "";
    if (message === "") this.input.removeAttribute("aria-invalid");
    else this.input.setAttribute("aria-invalid", "true");
    this.describe();
  }

  describe() {
    const described = [this.mistake, this.help].filter((part) => !part.hidden).map((part) => part.id);
    if (described.length === 0) this.input.removeAttribute("aria-describedby");
    else this.input.setAttribute("aria-describedby", described.join(" "));
  }
}

/** Puts each mistake at its field, what has no field into `rest`, and the focus on the first. */
export const showMistakes = (fields, mistakes, rest) => {
  for (const field of fields) field.setMistake("");
  const homeless = [];
  const wrong = [];
  for (const { field: path, message } of mistakes) {
    const field = fields.find((candidate) => path === candidate.path) ?? fields.find((candidate) => path.startsWith(`${candidate.path}.`));
    if (field) {
      field.setMistake(message);
      field.element.closest("details")?.setAttribute("open", "");
      wrong.push(field);
    } else {
      homeless.push(path === "" ? message : `${path}: ${message}`);
    }
  }
  rest.textContent = homeless.join("\n");
  rest.hidden = homeless.length === 0;
  const first = fields.find((field) => wrong.includes(field));
  if (first) first.input.focus();
  else if (homeless.length > 0) rest.scrollIntoView({ block: "center" });
};
