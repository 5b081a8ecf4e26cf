// How one agent chose its move: the tree, the steps of the search, and the node in focus.
import { announce } from "../dom/announcements.js";
import { element } from "../dom/element.js";
import { messageOf } from "../net/api.js";
import { Playback } from "../shared/playback.js";
import { count, counted } from "../shared/number.js";
import { boundText, kindOf, leadOf, moveWithArrow, valueText } from "../text/search_words.js";
import { NodeDetails } from "./node_details.js";
import { SearchTree } from "./search_tree.js";
/** @import { Explanation } from "../net/server_json.js" */

const STEPS_PER_SECOND = 3;
// What the host writes; a picture in pixels is made of the drawing by the browser.
const PICTURES = [{ format: "svg", ending: "svg", label: "SVG" }, { format: "tikz", ending: "tex", label: "TikZ" }, { format: "text", ending: "txt", label: "text" }];
// Enough for print: a page is about 600 pixels wide.
const PIXELS_PER_PIXEL = 4;

export class ExplanationPanel {
  /**
   * @param {Explanation} explanation
   * @param {object} options
   * @param {Record<string, string>} options.settings of the position
   * @param {(format: string) => string} options.pictureAddress
   * @param {string} options.name of the agent
   */
  constructor(explanation, { settings, pictureAddress, name }) {
    this.explanation = explanation;
    const { nodes } = explanation;
    const last = nodes.length - 1;
    this.tree = new SearchTree(explanation, (index) => this.#show(index));
    this.details = new NodeDetails(explanation, settings, (index) => this.tree.go(index));
    this.slider = element("input", { type: "range", min: 0, max: last, step: 1, "aria-label": "Step of the search", input: () => this.#step(Number(this.slider.value)) });
    this.slider.value = String(last);
    this.place = element("output", { class: "step-place" });
    this.sentence = element("p", { class: "step-sentence" });
    this.playButton = button("Play", "Play the steps", () => this.#togglePlay());
    this.playback = new Playback({
      speed: () => STEPS_PER_SECOND,
      advance: (n) => {
        const next = Math.min(last, Number(this.slider.value) + n);
        this.#step(next);
        return next < last;
      },
      end: () => this.#pause(),
    });
    const boards = element("input", { type: "checkbox", change: () => this.tree.setBoards(boards.checked) });
    boards.checked = this.tree.hasBoards;
    const toolbar = element(
      "div",
      { class: "tree-tools", role: "group", "aria-label": "Tree" },
      button("−", "Smaller", () => this.tree.zoomOut()),
      button("+", "Larger", () => this.tree.zoomIn()),
      button("Fit", "Fit the tree into its window", () => this.tree.fit()),
      button("Fold", "Fold the tree", () => this.tree.foldAll()),
      button("Unfold", "Unfold the tree", () => this.tree.openAll()),
      element("label", { class: "boards-switch" }, boards, " boards"),
      element("span", { class: "save-links" }, "Save ", PICTURES.map(({ format, ending, label }) =>
        element("a", { href: pictureAddress(format), download: `${name}.${ending}` }, label)),
      button("PNG", "Save as PNG", () => void savePng(pictureAddress("svg"), `${name}.png`).catch((error) => announce(messageOf(error))))),
    );
    const steps = element(
      "div",
      { class: "steps", role: "group", "aria-label": "Steps of the search" },
      button("|◀", "First step", () => this.#step(0)),
      button("‹", "Step back", () => this.#step(Number(this.slider.value) - 1)),
      this.playButton,
      button("›", "Step forward", () => this.#step(Number(this.slider.value) + 1)),
      button("▶|", "Last step", () => this.#step(last)),
      this.slider, this.place,
    );
    this.element = element(
      "div",
      { class: "explanation" },
      this.#summary(),
      toolbar,
      element("div", { class: "tree-and-node" }, this.tree.element, this.details.element),
      steps, this.sentence,
    );
    this.#show(0);
    this.#describeStep();
  }

  #summary() {
    const { method, formula, depths = [], counts = [], nodes, left_out: leftOut } = this.explanation;
    const numbers = [
      `${counted(nodes.length, "node")} listed`,
      ...(leftOut > 0 ? [`${count(leftOut)} more visited`] : []),
      ...counts.map(({ name, value }) => `${count(value)} ${name}`),
    ];
    return element(
      "div",
      { class: "method" },
      element("p", {}, method, formula === undefined ? null : [" · ", element("code", {}, formula)]),
      element("p", { class: "meta" }, numbers.join(" · ")),
      depths.length < 2 ? null : element("p", { class: "depths meta" }, "by depth: ", depths.map(({ depth, move, value }) =>
        element("span", { class: "depth" }, `${count(depth)} `, element("b", {}, moveWithArrow(move)), value === undefined ? "" : ` ${boundText(value)}`))),
    );
  }

  /** @param {number} index */
  #show(index) {
    this.details.show(index, this.tree.isDone(index));
  }

  /** @param {number} wanted */
  #step(wanted) {
    const step = Math.max(0, Math.min(this.explanation.nodes.length - 1, wanted));
    this.slider.value = String(step);
    this.tree.showUntil(step);
    this.#describeStep();
  }

  #describeStep() {
    const { nodes } = this.explanation;
    const step = Number(this.slider.value);
    const node = nodes[step];
    this.place.textContent = `${count(step + 1)} of ${count(nodes.length)}`;
    this.slider.setAttribute("aria-valuetext", this.place.textContent);
    if (node === undefined) return;
    const isLast = step === nodes.length - 1;
    const reached = `try ${leadOf(node)}: ${node.note ?? [kindOf(node).word, this.tree.isDone(step) ? valueText(node) : ""].filter(Boolean).join(", ")}`;
    this.sentence.textContent = isLast ? "The search is complete." : reached;
  }

  #togglePlay() {
    if (this.playback.isPlaying) {
      this.#pause();
      return;
    }
    if (Number(this.slider.value) === this.explanation.nodes.length - 1) this.#step(0);
    this.playButton.textContent = "Pause";
    this.playback.play();
  }

  #pause() {
    this.playback.pause();
    this.playButton.textContent = "Play";
    announce(this.sentence.textContent ?? "");
  }

  close() {
    this.playback.pause();
    this.tree.close();
  }
}

/**
 * @param {string} address of a drawing
 * @param {string} name of the file
 */
const savePng = async (address, name) => {
  const drawing = new Image();
  drawing.src = address;
  await drawing.decode();
  const canvas = element("canvas", { width: PIXELS_PER_PIXEL * drawing.width, height: PIXELS_PER_PIXEL * drawing.height });
  canvas.getContext("2d")?.drawImage(drawing, 0, 0, canvas.width, canvas.height);
  const picture = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  const href = URL.createObjectURL(picture);
  element("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
};

/**
 * @param {string} text
 * @param {string} label
 * @param {() => void} act
 */
const button = (text, label, act) => element("button", { type: "button", title: label, "aria-label": label, click: act }, text);
