// A board that is typed or clicked, or pasted in any notation that the server reads.
import { element } from "../dom/element.js";
import { cellsOf, notationOf } from "../explain/position.js";
import { diagnosticsOf, get } from "../net/api.js";
import { Board } from "../shared/board.js";
import { Field } from "./field.js";
/** @import { Cells, Rows } from "../net/server_json.js" */

const PALETTE = Array.from({ length: 17 }, (_, exponent) => exponent);
const LARGEST = 17;
const SIDES = [2, 3, 4, 5, 6, 7, 8];

export class BoardEditor {
  /** @type {Cells} */
  cells;
  #cursor = 0;
  #typed = "";

  /**
   * @param {Cells} cells
   * @param {() => void} onChange
   */
  constructor(cells, onChange) {
    this.cells = [...cells];
    this.onChange = onChange;
    this.board = new Board(this.#side);
    const board = this.board.element;
    board.setAttribute("role", "application");
    board.setAttribute("tabindex", "0");
    board.setAttribute("aria-roledescription", "board editor");
    board.setAttribute("aria-describedby", "board-editor-help");
    board.classList.add("edited");
    board.addEventListener("click", (event) => this.#onClick(event));
    board.addEventListener("keydown", (event) => this.#onKey(event));
    this.cursor = element("span", { class: "cursor" });
    this.status = element("p", { class: "visually-hidden", role: "status" });
    this.palette = element("div", { class: "palette", role: "group", "aria-label": "Tile for the marked cell" }, PALETTE.map((exponent) => element(
      "button",
      { type: "button", class: `e${exponent}`, "data-exponent": exponent, "aria-label": exponent === 0 ? "empty" : null, click: () => this.#put(exponent) },
      exponent === 0 ? "·" : String(2 ** exponent),
    )));
    this.size = element("select", { change: () => this.set(resized(this.cells, Number(this.size.value))) }, SIDES.map((side) => element("option", { value: side }, `${side} × ${side}`)));
    const input = element("input", { type: "text", autocomplete: "off", spellcheck: "false", change: () => { if (input.value !== notationOf(this.cells)) void this.read(input.value); } });
    this.notation = new Field({ path: "board", label: "As text", input, help: "Rows of numbers, or 16 hexadecimal digits of exponents, as tablebases have them." });
    this.sizeField = new Field({ path: "size", label: "Size", input: this.size, beside: element("button", { type: "button", click: () => this.set(this.cells.map(() => 0)) }, "Clear") });
    this.element = element(
      "div",
      { class: "board-editor" },
      board,
      element("div", { class: "editor-tools" },
        element("p", { class: "help", id: "board-editor-help" }, "Mark a cell with a click or the arrow keys, then type a number or choose a tile."),
        this.palette, this.sizeField.element, this.notation.element, this.status),
    );
    this.#show();
  }

  get #side() {
    return Math.round(Math.sqrt(this.cells.length));
  }

  /** @param {Cells} cells */
  set(cells) {
    this.cells = [...cells];
    this.#cursor = Math.min(this.#cursor, cells.length - 1);
    this.#typed = "";
    this.#show();
    this.onChange();
  }

  /**
   * Takes a board in any notation that the server reads; says whether it was one.
   * @param {string} text
   */
  async read(text) {
    try {
      /** @type {{ board: Rows }} */
      const { board } = await get(`/api/board?board=${encodeURIComponent(text)}`);
      this.set(cellsOf(board));
      return true;
    } catch (error) {
      this.notation.setError(diagnosticsOf(error).map(({ message }) => message).join("; "));
      return false;
    }
  }

  #show() {
    const { board } = this;
    board.show(this.cells);
    board.element.append(this.cursor);
    board.place(this.cursor, this.#cursor);
    this.size.value = String(this.#side);
    this.notation.input.value = notationOf(this.cells);
    this.notation.setError("");
  }

  /** @param {number} exponent */
  #set(exponent) {
    this.cells[this.#cursor] = exponent;
    this.#show();
    this.onChange();
  }

  /**
   * A tile from the palette; the next one goes into the next cell.
   * @param {number} exponent
   */
  #put(exponent) {
    this.#set(exponent);
    this.#mark((this.#cursor + 1) % this.cells.length);
  }

  /** @param {number} cell */
  #mark(cell) {
    this.#cursor = cell;
    this.#typed = "";
    this.board.place(this.cursor, cell);
    this.#say();
  }

  #say() {
    const [row, column] = [Math.floor(this.#cursor / this.#side) + 1, (this.#cursor % this.#side) + 1];
    const exponent = this.cells[this.#cursor] ?? 0;
    this.status.textContent = `row ${row}, column ${column}: ${exponent === 0 ? "empty" : 2 ** exponent}`;
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const box = this.board.element.getBoundingClientRect();
    const along = (/** @type {number} */ at, /** @type {number} */ size) => Math.min(this.#side - 1, Math.max(0, Math.floor(at / size * this.#side)));
    const cell = along(event.clientY - box.top, box.height) * this.#side + along(event.clientX - box.left, box.width);
    // A click on the marked cell makes its tile larger.
    if (cell === this.#cursor) this.#set(((this.cells[cell] ?? 0) + 1) % (LARGEST + 1));
    else this.#mark(cell);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const side = this.#side;
    const [row, column] = [Math.floor(this.#cursor / side), this.#cursor % side];
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (step !== undefined) {
      this.#mark(((row + step[0] + side) % side) * side + (column + step[1] + side) % side);
    } else if (/^\d$/.test(event.key)) {
      this.#type(event.key);
    } else if (["Backspace", "Delete", " "].includes(event.key)) {
      this.#typed = "";
      this.#set(0);
      this.#say();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** @param {string} digit */
  #type(digit) {
    // A number that cannot go on begins anew.
    const text = isBeginOfTile(this.#typed + digit) ? this.#typed + digit : digit;
    this.#typed = text;
    const exponent = text === "0" ? 0 : PALETTE.concat(LARGEST).find((one) => one > 0 && String(2 ** one) === text);
    if (exponent === undefined) this.status.textContent = text;
    else {
      this.#set(exponent);
      this.#say();
    }
  }
}

/** @param {string} text */
const isBeginOfTile = (text) => PALETTE.concat(LARGEST).some((exponent) => exponent > 0 && String(2 ** exponent).startsWith(text));

/**
 * The same tiles on a board of another size, as far as they have room.
 * @param {Cells} cells
 * @param {number} side
 * @returns {Cells}
 */
const resized = (cells, side) => {
  const before = Math.round(Math.sqrt(cells.length));
  return Array.from({ length: side * side }, (_, cell) => {
    const [row, column] = [Math.floor(cell / side), cell % side];
    return row < before && column < before ? cells[row * before + column] ?? 0 : 0;
  });
};
