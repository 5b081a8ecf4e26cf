// The page: one view per route. Routes are in the hash of the address, so that a reload
// keeps its place and the server need not know them. Their keys are older than their names:
// links that people have kept work.
import { element, elementById } from "./dom/element.js";
import { open as openExplain } from "./views/explain_view.js";
import { open as openFollow } from "./views/follow_view.js";
import { open as openHome } from "./views/home_view.js";
import { open as openLive } from "./views/live_view.js";
import { open as openPerson } from "./views/person_view.js";
import { open as openReplay } from "./views/replay_view.js";
import { open as openSolve } from "./views/solve_view.js";
/** @import { OpenView, View } from "./views/view.js" */

const PLAY = { key: "play", min: 1, max: 1, introduction: "Choose an agent, press Run, and watch it play." };
const COMPARE = { key: "compare", min: 2, max: 4, introduction: "Two to four agents side by side on the same tiles, in step." };

/** @typedef {{ key: string, name: string, open: OpenView }} Route */

/** @type {Route} */
const DEFAULT_ROUTE = { key: "home", name: "Arena 2048", open: openHome };
/** @type {Route[]} */
const ROUTES = [
  DEFAULT_ROUTE,
  { key: "play", name: "Watch", open: (place, parameters) => openLive(place, parameters, PLAY) },
  { key: "compare", name: "Compare", open: (place, parameters) => openLive(place, parameters, COMPARE) },
  { key: "you", name: "Play", open: openPerson },
  { key: "replay", name: "Review", open: openReplay },
  { key: "follow", name: "Tournaments", open: openFollow },
  { key: "explain", name: "Explain", open: openExplain },
  { key: "solve", name: "Solve", open: openSolve },
];

const area = elementById("view");
/** @type {{ key: string, view: View } | null} */
let shown = null;

/**
 * Text that cannot be decoded is kept; the view then reports that nothing has this name.
 * @param {string} part
 */
const decode = (part) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The route of the current address, with its parameters. */
const currentRoute = () => {
  const [wanted, ...parameters] = location.hash.slice(1).split("/").map(decode);
  const route = ROUTES.find(({ key }) => key === wanted);
  return route === undefined ? { ...DEFAULT_ROUTE, parameters: [] } : { ...route, parameters };
};

/** @param {HashChangeEvent} [event] */
const followRoute = (event) => {
  // The skip link is not a route.
  if (location.hash === "#view") {
    history.replaceState(null, "", event === undefined ? "#home" : new URL(event.oldURL).hash);
    area.focus();
    return;
  }
  const { key, name, open, parameters } = currentRoute();
  // A view that is already open updates itself: Run adds the game to the address, and the
  // board must not flicker.
  if (shown?.key === key) {
    shown.view.update(parameters);
    return;
  }
  const isFirst = shown === null;
  shown?.view.close();
  const heading = element("h1", { tabindex: -1 }, name);
  area.replaceChildren(heading);
  shown = { key, view: open(area, parameters) };
  document.title = key === DEFAULT_ROUTE.key ? name : `${name} · Arena 2048`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("data-view") === key) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!isFirst) heading.focus();
};

addEventListener("hashchange", followRoute);
followRoute();
