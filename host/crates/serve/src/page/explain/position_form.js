// The position that is asked about: a board, and the rules of its game.
import { element } from "../dom/element.js";
import { BoardEditor } from "../forms/board_editor.js";
import { Field } from "../forms/field.js";
import { get, messageOf } from "../net/api.js";
import { RecordedGame } from "../net/recorded_game.js";
/** @import { Cells, FieldDiagnostic, Run } from "../net/server_json.js" */

export class PositionForm {
  /**
   * @param {Cells} cells
   * @param {() => void} onChange
   */
  constructor(cells, onChange) {
    this.editor = new BoardEditor(cells, onChange);
    const numberInput = (/** @type {Record<string, string | number>} */ limits) => element("input", { type: "number", inputmode: "decimal", placeholder: "default", ...limits });
    const four = numberInput({ min: 0, max: 1, step: "any" });
    const goal = numberInput({ min: 4, step: 1, placeholder: "none" });
    const depth = numberInput({ min: 1, step: 1, placeholder: "as it plays" });
    const tiles = element("select", {}, element("option", { value: "" }, "random"), element("option", { value: "deterministic" }, "deterministic"));
    this.fields = [
      new Field({ path: "depth", label: "Depth at most", input: depth, help: "In the agent's own unit. A small one makes a tree that can be read." }),
      new Field({ path: "tiles", label: "New tiles", input: tiles }),
      new Field({ path: "goal", label: "Goal", input: goal }),
      new Field({ path: "four", label: "Share of 4s", input: four }),
    ];
    this.rules = element("details", { class: "rules" }, element("summary", {}, "Depth and rules"), element("div", { class: "parameters" }, this.fields.map((field) => field.element)));
    this.rules.addEventListener("change", onChange);
    this.element = element("div", { class: "position" }, this.editor.element, this.#fromGame());
  }

  get cells() {
    return this.editor.cells;
  }

  get size() {
    return Math.round(Math.sqrt(this.cells.length));
  }

  /** The rules that are not the usual ones, as in an address. */
  get settings() {
    return Object.fromEntries(this.fields.map(({ path, input }) => [path, input.value]).filter(([, value]) => value !== ""));
  }

  /** @param {Record<string, string>} settings */
  setRules(settings) {
    for (const { path, input } of this.fields) input.value = settings[path] ?? "";
    this.rules.open = this.fields.some(({ input }) => input.value !== "");
  }

  /**
   * Shows an error at its field; says whether there is one.
   * @param {FieldDiagnostic} diagnostic
   */
  setError({ field: path, message }) {
    const field = [...this.fields, this.editor.notation].find((one) => one.path === path);
    field?.setError(message);
    if (field !== undefined && field !== this.editor.notation) this.rules.open = true;
    return field !== undefined;
  }

  /** A position of a recorded game. */
  #fromGame() {
    const run = element("select");
    const game = element("input", { type: "number", inputmode: "numeric", min: 0, step: 1, value: 0 });
    const move = element("input", { type: "number", inputmode: "numeric", min: 0, step: 1, value: 100 });
    const error = element("p", { class: "error", role: "alert", hidden: true });
    const attempt = async (/** @type {() => Promise<void>} */ action) => {
      error.hidden = true;
      try {
        await action();
      } catch (problem) {
        error.textContent = messageOf(problem);
        error.hidden = false;
      }
    };
    const take = () => attempt(async () => {
      const recorded = await RecordedGame.load(run.value, game.value);
      const { n, board } = await recorded.at(Number(move.value));
      move.value = String(n);
      this.editor.set(board);
    });
    const details = element(
      "details",
      {},
      element("summary", {}, "Take a position of a game"),
      element("form", { class: "from-game", submit: (event) => {
        event.preventDefault();
        void take();
      } },
      new Field({ path: "run", label: "Run", input: run }).element,
      new Field({ path: "game", label: "Game", input: game }).element,
      new Field({ path: "move", label: "After move", input: move }).element,
      element("button", {}, "Take"), error),
    );
    details.addEventListener("toggle", () => void attempt(async () => {
      if (!details.open || run.options.length > 0) return;
      /** @type {{ runs: Run[] }} */
      const { runs } = await get("/api/runs");
      run.replaceChildren(...runs.map(({ id, name }) => element("option", { value: id }, name)));
    }));
    return details;
  }
}
