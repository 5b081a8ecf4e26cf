// The tree of a search: it scrolls, zooms and folds, and is walked with the keyboard. Only the
// nodes that its window shows have elements, so thousands of nodes stay smooth.
import { element, visuallyHidden } from "../dom/element.js";
import { Board } from "../shared/board.js";
import { count } from "../shared/number.js";
import { cutText, endOf, factsOf, kindOf, leadOf, valueText } from "../text/search_words.js";
import { miniBoard } from "./mini_board.js";
import { cellsOf } from "./position.js";
import { childrenOf, firstOpen, layOut, subtreesOf } from "./tree_layout.js";
/** @import { ExplainedNode, Explanation } from "../net/server_json.js" */
/** @import { Place } from "./tree_layout.js" */

// In pixels at full size: the node, and from one node to the next.
const WITH_BOARDS = { width: 190, height: 68, right: 222, down: 76 };
const WITHOUT = { width: 196, height: 26, right: 224, down: 30 };
// What nodes need more for values with this many characters, as those of snake.
const LONG_VALUE = 10;
const FOR_LONG_VALUES = 44;
// Below this zoom, texts and boards cannot be read and are left out.
const LEGIBLE_ZOOM = 0.4;
const LEAST_ZOOM = 0.05;
const MOST_ZOOM = 2;
const ZOOM_STEP = 1.25;
// About as many nodes are open at first as a window shows, with boards and without.
const FIRST_WITH_BOARDS = 14;
const FIRST_WITHOUT = 26;
// Larger trees are easier to read without boards in them.
const MOST_WITH_BOARDS = 100;
const MARGIN = 16;
const SVG = "http://www.w3.org/2000/svg";

let nTrees = 0;

export class SearchTree {
  /** @type {Explanation} */
  #explanation;
  #children;
  #subtrees;
  /** @type {Set<number>} */
  #open;
  #onLine;
  #extraWidth;
  /** @type {Place[]} */
  #places = [];
  /** @type {Map<number, Place>} */
  #placeOf = new Map();
  /** @type {Map<number, HTMLElement>} the elements of the nodes that the window shows */
  #shown = new Map();
  #current = 0;
  #step;
  #zoom = 1;
  #frame = 0;
  // Whether more has changed since the last frame than what the window shows.
  #hasChanged = true;
  // Where the window was when the edges around it were drawn.
  #edgesAt = 0;

  /**
   * @param {Explanation} explanation
   * @param {(index: number) => void} onCurrent called when another node has the focus
   */
  constructor(explanation, onCurrent) {
    const { nodes, line = [] } = explanation;
    this.onCurrent = onCurrent;
    this.id = `tree-${(nTrees += 1)}`;
    this.#explanation = explanation;
    this.#children = childrenOf(nodes);
    this.#subtrees = subtreesOf(nodes);
    this.#onLine = new Set(line);
    this.#extraWidth = nodes.some((node) => valueText(node).length > LONG_VALUE) ? FOR_LONG_VALUES : 0;
    this.hasBoards = nodes.length <= MOST_WITH_BOARDS;
    this.#open = firstOpen(this.#children, this.hasBoards ? FIRST_WITH_BOARDS : FIRST_WITHOUT);
    this.#step = nodes.length - 1;
    this.edges = { other: path("edges"), line: path("edges line"), given: path("edges given-up") };
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("aria-hidden", "true");
    svg.append(this.edges.other, this.edges.given, this.edges.line);
    this.layer = element("div", { class: "layer" }, svg);
    this.sizer = element("div", { class: "sizer" }, this.layer);
    this.window = element("div", { class: "tree", id: this.id, role: "tree", tabindex: 0, "aria-label": `Search tree: ${explanation.method}` }, this.sizer);
    this.card = new HoverCard();
    this.element = element("div", { class: "tree-frame" }, this.window, this.card.element);
    this.window.addEventListener("scroll", () => this.#drawSoon(false));
    this.window.addEventListener("keydown", (event) => this.#onKey(event));
    this.window.addEventListener("click", (event) => this.#onClick(event));
    this.window.addEventListener("dblclick", (event) => this.#toggleAt(event));
    this.window.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
    this.window.addEventListener("pointerover", (event) => this.#onHover(event));
    this.window.addEventListener("pointerleave", () => this.card.hide());
    dragToScroll(this.window);
    this.observer = new ResizeObserver(() => this.#drawSoon());
    this.observer.observe(this.window);
    this.#layOut();
  }

  close() {
    this.observer.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  get #sizes() {
    const sizes = this.hasBoards ? WITH_BOARDS : WITHOUT;
    return { ...sizes, width: sizes.width + this.#extraWidth, right: sizes.right + this.#extraWidth };
  }

  /** @param {boolean} hasBoards */
  setBoards(hasBoards) {
    this.hasBoards = hasBoards;
    this.#forget();
    this.#layOut();
    this.#scrollTo(this.#current, true);
  }

  /** Places the visible nodes anew. */
  #layOut() {
    this.#places = layOut(this.#children, this.#open);
    this.#placeOf = new Map(this.#places.map((place) => [place.index, place]));
    this.window.dataset.nodes = String(this.#places.length);
    this.#resize();
  }

  #forget() {
    for (const shown of this.#shown.values()) shown.remove();
    this.#shown.clear();
  }

  #resize() {
    const { right, down, width } = this.#sizes;
    this.layer.style.setProperty("--node", `${width}px`);
    const levels = 1 + Math.max(...this.#places.map(({ level }) => level));
    const rows = 1 + Math.max(...this.#places.map(({ row }) => row));
    this.sizer.style.width = `${this.#zoom * (levels * right - right + width) + 2 * MARGIN}px`;
    this.sizer.style.height = `${this.#zoom * rows * down + 2 * MARGIN}px`;
    this.layer.style.transform = `translate(${MARGIN}px, ${MARGIN}px) scale(${this.#zoom})`;
    this.window.classList.toggle("far", this.#zoom < LEGIBLE_ZOOM);
    this.window.classList.toggle("with-boards", this.hasBoards);
    this.#drawSoon();
  }

  /** @param {boolean} [hasChanged] otherwise the window was only scrolled */
  #drawSoon(hasChanged = true) {
    this.#hasChanged ||= hasChanged;
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  /** Makes the elements of the nodes in the window and half a window around it, and removes others. */
  #draw() {
    this.#frame = 0;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.window;
    const { right, down, height } = this.#sizes;
    const within = (/** @type {number} */ at, /** @type {number} */ start, /** @type {number} */ extent, /** @type {number} */ size) =>
      (at + size) * this.#zoom > start - extent / 2 && at * this.#zoom < start + 1.5 * extent;
    const isNear = (/** @type {Place} */ { level, row }) => within(level * right, scrollLeft, clientWidth, right) && within(row * down, scrollTop, clientHeight, down);
    const wanted = new Set(this.#places.filter(isNear).map(({ index }) => index));
    if (this.#placeOf.has(this.#current)) wanted.add(this.#current);
    for (const [index, shown] of this.#shown) {
      if (wanted.has(index)) continue;
      shown.remove();
      this.#shown.delete(index);
    }
    /** @type {HTMLElement[]} */
    const made = [];
    for (const index of wanted) {
      const place = this.#placeOf.get(index);
      if (place === undefined) continue;
      let shown = this.#shown.get(index);
      if (shown === undefined) {
        shown = this.#makeNode(index);
        this.#shown.set(index, shown);
        made.push(shown);
      } else if (!this.#hasChanged) continue;
      shown.style.translate = `${place.level * right}px ${place.row * down + (down - height) / 2}px`;
      this.#dress(shown, index, place);
    }
    this.layer.append(...made);
    this.window.dataset.drawn = String(this.#shown.size);
    if (this.#hasChanged || Math.abs(scrollTop - this.#edgesAt) > clientHeight / 2) {
      this.#edgesAt = scrollTop;
      this.#drawEdges(scrollTop, clientHeight);
    }
    this.#hasChanged = false;
  }

  /**
   * @param {number} top
   * @param {number} extent of the window
   */
  #drawEdges(top, extent) {
    const { right, down, width } = this.#sizes;
    const { nodes } = this.#explanation;
    const lines = { other: "", line: "", given: "" };
    for (const { index, level, row } of this.#places) {
      const parent = nodes[index]?.parent;
      const from = parent === undefined ? undefined : this.#placeOf.get(parent);
      if (from === undefined || parent === undefined) continue;
      const [start, end] = [from.row, row].map((one) => (one + 0.5) * down);
      if (start === undefined || end === undefined) continue;
      if (Math.max(start, end) * this.#zoom < top - extent || Math.min(start, end) * this.#zoom > top + 2 * extent) continue;
      const [left, bend, to] = [from.level * right + width, level * right - (right - width) / 2, level * right];
      const kind = this.#edgeKind(index, parent);
      lines[kind] += `M${left} ${start}C${bend} ${start} ${bend} ${end} ${to} ${end}`;
    }
    this.edges.other.setAttribute("d", lines.other);
    this.edges.line.setAttribute("d", lines.line);
    this.edges.given.setAttribute("d", lines.given);
  }

  /**
   * @param {number} index
   * @param {number} parent
   */
  #edgeKind(index, parent) {
    if (this.#onLine.has(index) && this.#onLine.has(parent)) return "line";
    return this.#explanation.nodes[index]?.kind === "dead" || index > this.#step ? "given" : "other";
  }

  /** @param {number} index */
  #node(index) {
    const node = this.#explanation.nodes[index];
    if (node === undefined) throw new Error(`the explanation has no node ${index}`);
    return node;
  }

  /** @param {number} index */
  #makeNode(index) {
    const node = this.#node(index);
    const kind = kindOf(node);
    return element(
      "div",
      { class: `node ${node.kind}${this.#onLine.has(index) ? " line" : ""}`, id: `${this.id}-${index}`, role: "treeitem", "data-index": index },
      this.hasBoards ? miniBoard(cellsOf(node.board)) : null,
      element("span", { class: "said" },
        element("span", { class: "lead" }, element("i", { "aria-hidden": "true" }, kind.sign), visuallyHidden(`${kind.word}: `), ` ${leadOf(node)}`),
        element("b", { class: "value" }),
        this.hasBoards ? element("small", { class: cutText(node) === null ? "" : "cut" }) : null),
      this.#children[index]?.length ? element("span", { class: "fold", "aria-hidden": "true" }) : null,
    );
  }

  /**
   * What changes at a node: whether it is open, has the focus, was reached.
   * @param {HTMLElement} shown
   * @param {number} index
   * @param {Place} place
   */
  #dress(shown, index, { level }) {
    const node = this.#node(index);
    const nBelow = this.#subtrees.below[index] ?? 0;
    const siblings = node.parent === undefined ? [0] : this.#children[node.parent] ?? [];
    const isOpen = this.#open.has(index);
    const isDone = this.isDone(index);
    const text = isDone ? valueText(node) || endOf(node) : "…";
    const value = shown.querySelector(".value");
    if (value !== null && value.textContent !== text) value.textContent = text;
    const facts = shown.querySelector("small");
    if (facts !== null) facts.textContent = isDone ? factsOf(node).join(" · ") : "";
    const fold = shown.querySelector(".fold");
    if (fold !== null) fold.textContent = isOpen ? "−" : `+${count(nBelow)}`;
    shown.classList.toggle("later", index > this.#step);
    shown.classList.toggle("current", index === this.#current);
    const attributes = {
      "aria-level": level + 1,
      "aria-posinset": siblings.indexOf(index) + 1,
      "aria-setsize": siblings.length,
      "aria-selected": index === this.#current,
      "aria-disabled": index > this.#step,
      ...(nBelow > 0 ? { "aria-expanded": isOpen } : {}),
    };
    for (const [name, one] of Object.entries(attributes)) shown.setAttribute(name, String(one));
    if (index === this.#current) this.window.setAttribute("aria-activedescendant", shown.id);
  }

  /**
   * Whether the search of a node is complete at the step that is shown.
   * @param {number} index
   */
  isDone(index) {
    return (this.#subtrees.last[index] ?? 0) <= this.#step;
  }

  /**
   * Shows the search up to a node.
   * @param {number} step
   */
  showUntil(step) {
    this.#step = step;
    this.go(step);
  }

  /**
   * Gives a node the focus; opens what is above it.
   * @param {number} index
   */
  go(index) {
    let isFolded = false;
    for (let above = this.#node(index).parent; above !== undefined; above = this.#node(above).parent) {
      isFolded ||= !this.#open.has(above);
      this.#open.add(above);
    }
    this.#current = index;
    if (isFolded) this.#layOut();
    this.#scrollTo(index, false);
    this.#drawSoon();
    this.onCurrent(index);
  }

  /** @param {number} index */
  toggle(index) {
    if (this.#children[index]?.length === 0) return;
    if (!this.#open.delete(index)) this.#open.add(index);
    this.#layOutAround(index);
  }

  /** Folds everything but the root, or opens everything. */
  foldAll() {
    this.#open = new Set([0]);
    this.#current = 0;
    this.#layOutAround(0);
    this.onCurrent(0);
  }

  openAll() {
    this.#open = new Set(this.#children.flatMap((below, index) => (below.length > 0 ? [index] : [])));
    this.#layOutAround(this.#current);
  }

  /**
   * Places the nodes anew, but leaves one where it is in the window.
   * @param {number} index
   */
  #layOutAround(index) {
    const before = this.#placeOf.get(index);
    this.#layOut();
    const after = this.#placeOf.get(index);
    if (before !== undefined && after !== undefined) this.window.scrollTop += (after.row - before.row) * this.#sizes.down * this.#zoom;
  }

  /**
   * @param {number} index
   * @param {boolean} isCentred otherwise only as far as needed
   */
  #scrollTo(index, isCentred) {
    const place = this.#placeOf.get(index);
    if (place === undefined) return;
    const { right, down, width } = this.#sizes;
    const { clientWidth, clientHeight } = this.window;
    const [left, top] = [MARGIN + place.level * right * this.#zoom, MARGIN + place.row * down * this.#zoom];
    const [w, h] = [width * this.#zoom, down * this.#zoom];
    if (isCentred) {
      this.window.scrollTo(left + w / 2 - clientWidth / 2, top + h / 2 - clientHeight / 2);
      return;
    }
    if (left < this.window.scrollLeft || left + w > this.window.scrollLeft + clientWidth) this.window.scrollLeft = left + w / 2 - clientWidth / 2;
    if (top < this.window.scrollTop) this.window.scrollTop = top - h;
    else if (top + h > this.window.scrollTop + clientHeight) this.window.scrollTop = top + 2 * h - clientHeight;
  }

  /**
   * @param {number} factor
   * @param {{ x: number, y: number }} [at] the place in the window that stays where it is
   */
  zoomBy(factor, at = { x: this.window.clientWidth / 2, y: this.window.clientHeight / 2 }) {
    const before = this.#zoom;
    this.#zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, before * factor));
    const { scrollLeft, scrollTop } = this.window;
    const grown = this.#zoom / before;
    this.#resize();
    this.window.scrollTo((scrollLeft + at.x - MARGIN) * grown - at.x + MARGIN, (scrollTop + at.y - MARGIN) * grown - at.y + MARGIN);
  }

  zoomIn() {
    this.zoomBy(ZOOM_STEP);
  }

  zoomOut() {
    this.zoomBy(1 / ZOOM_STEP);
  }

  /** The whole tree in the window, as far as that makes sense. */
  fit() {
    const { width, height } = this.sizer.getBoundingClientRect();
    const [w, h] = [width, height].map((size) => (size - 2 * MARGIN) / this.#zoom);
    if (w === undefined || h === undefined) return;
    const { clientWidth, clientHeight } = this.window;
    const zoom = Math.min(1, (clientWidth - 2 * MARGIN) / w, (clientHeight - 2 * MARGIN) / h);
    this.zoomBy(zoom / this.#zoom);
  }

  /** @param {Event} event */
  #indexAt({ target }) {
    const node = target instanceof Element ? target.closest(".node") : null;
    return node === null ? null : Number(node.getAttribute("data-index"));
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const index = this.#indexAt(event);
    if (index === null) return;
    if (event.target instanceof Element && event.target.closest(".fold") !== null) this.toggle(index);
    else this.go(index);
  }

  /** @param {MouseEvent} event */
  #toggleAt(event) {
    const index = this.#indexAt(event);
    if (index !== null && event.target instanceof Element && event.target.closest(".fold") === null) this.toggle(index);
  }

  /** @param {WheelEvent} event */
  #onWheel(event) {
    this.card.hide();
    // A pinch arrives as a turn of the wheel with the control key.
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = this.window.getBoundingClientRect();
    this.zoomBy(Math.exp(-event.deltaY / 200), { x: event.clientX - box.left, y: event.clientY - box.top });
  }

  /** @param {PointerEvent} event */
  #onHover(event) {
    const index = this.#indexAt(event);
    const shown = index === null ? undefined : this.#shown.get(index);
    if (index === null || shown === undefined || event.pointerType === "touch" || event.buttons !== 0) this.card.hide();
    else this.card.show(this.#node(index), shown, this.element);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const here = this.#current;
    const at = this.#places.findIndex(({ index }) => index === here);
    const isOpen = this.#open.has(here);
    const { parent } = this.#node(here);
    const below = this.#children[here] ?? [];
    const goTo = (/** @type {number | undefined} */ index) => { if (index !== undefined) this.go(index); };
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => goTo(this.#places[at + 1]?.index),
      ArrowUp: () => goTo(this.#places[at - 1]?.index),
      ArrowRight: () => (isOpen ? goTo(below[0]) : this.toggle(here)),
      ArrowLeft: () => (isOpen && below.length > 0 ? this.toggle(here) : goTo(parent)),
      Home: () => goTo(0),
      End: () => goTo(this.#places.at(-1)?.index),
      Enter: () => this.toggle(here),
      " ": () => this.toggle(here),
      "+": () => this.zoomIn(),
      "-": () => this.zoomOut(),
      "0": () => this.fit(),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}

/** @param {string} className */
const path = (className) => {
  const made = document.createElementNS(SVG, "path");
  made.setAttribute("class", className);
  return made;
};

/** The board of the node below the pointer, large enough to be read. */
class HoverCard {
  constructor() {
    this.board = new Board(4);
    this.text = element("p");
    this.element = element("div", { class: "hover-card", "aria-hidden": "true", hidden: true }, this.board.element, this.text);
  }

  /**
   * @param {ExplainedNode} node
   * @param {HTMLElement} beside
   * @param {HTMLElement} frame
   */
  show(node, beside, frame) {
    this.board.show(cellsOf(node.board));
    this.text.textContent = [leadOf(node), valueText(node), ...factsOf(node)].filter(Boolean).join(" · ");
    this.element.hidden = false;
    const [own, outer] = [beside.getBoundingClientRect(), frame.getBoundingClientRect()];
    const { offsetWidth, offsetHeight } = this.element;
    const isRight = own.right + offsetWidth + 8 < outer.right;
    const left = isRight ? own.right - outer.left + 8 : own.left - outer.left - offsetWidth - 8;
    const top = Math.min(own.top - outer.top, outer.height - offsetHeight - 8);
    this.element.style.left = `${Math.max(4, left)}px`;
    this.element.style.top = `${Math.max(4, top)}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}

/**
 * Lets the mouse drag the content of a window; fingers scroll it anyway.
 * @param {HTMLElement} target
 */
const dragToScroll = (target) => {
  /** @type {{ x: number, y: number, left: number, top: number } | null} */
  let start = null;
  target.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0 || event.target !== target && event.target instanceof Element && event.target.closest(".fold") !== null) return;
    start = { x: event.clientX, y: event.clientY, left: target.scrollLeft, top: target.scrollTop };
  });
  target.addEventListener("pointermove", (event) => {
    if (start === null) return;
    if (event.buttons === 0) {
      start = null;
      return;
    }
    target.scrollTo(start.left + start.x - event.clientX, start.top + start.y - event.clientY);
  });
  for (const end of ["pointerup", "pointercancel"]) target.addEventListener(end, () => { start = null; });
};
