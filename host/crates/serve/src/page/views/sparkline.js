// A small curve: how a mean has developed, with its interval as a band.
import { element } from "../dom/element.js";
/** @import { HistoryPoint } from "../net/server_json.js" */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [100, 24];

/**
 * The paths of the curve and of its band. The axis spans the second half of the curve, because
 * the intervals of the first games are much wider than all that follows.
 * @param {HistoryPoint[]} points
 */
export const sparklinePaths = (points) => {
  const settled = points.slice(Math.floor(points.length / 2));
  const lowest = Math.min(...settled.map(({ low, mean }) => low ?? mean));
  const highest = Math.max(...settled.map(({ high, mean }) => high ?? mean));
  const last = points.at(-1)?.games ?? 1;
  /** @type {(games: number, value: number) => string} */
  const at = (games, value) => {
    const share = highest === lowest ? 0.5 : (value - lowest) / (highest - lowest);
    const y = (1 - Math.min(1, Math.max(0, share))) * (HEIGHT - 2) + 1;
    return `${(games / last * WIDTH).toFixed(1)} ${y.toFixed(1)}`;
  };
  const curve = points.map(({ games, mean }) => at(games, mean));
  const upper = points.map(({ games, mean, high }) => at(games, high ?? mean));
  const lower = points.map(({ games, mean, low }) => at(games, low ?? mean)).reverse();
  return { curve: `M${curve.join("L")}`, band: `M${[...upper, ...lower].join("L")}Z` };
};

/** @param {HistoryPoint[]} points */
export const makeSparkline = (points) => {
  if (points.length < 2) return element("span", { class: "spark" });
  const { curve, band } = sparklinePaths(points);
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  drawing.setAttribute("preserveAspectRatio", "none");
  for (const [name, path] of [["band", band], ["curve", curve]]) {
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("class", name ?? "");
    line.setAttribute("d", path ?? "");
    drawing.append(line);
  }
  return element("span", { class: "spark", "aria-hidden": "true" }, drawing);
};
