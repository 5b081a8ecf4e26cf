// The page: a view for each route. Routes stand behind the hash, so that a reload
// stays where it was and the server need not know them.
import { element } from "./element.js";
import { open as follow } from "./follow.js";
import { open as you } from "./person.js";
import { open as replay } from "./replay.js";
import { open as watch } from "./watch.js";

const PLAY = { key: "play", least: 1, most: 1, introduction: "Choose an agent, press Run, and watch it play." };
const COMPARE = { key: "compare", least: 2, most: 4, introduction: "Two to four agents side by side, on the same tiles, in step." };

const VIEWS = {
  play: { name: "Play", open: (place, parameters) => watch(place, parameters, PLAY) },
  you: { name: "You", open: you },
  compare: { name: "Compare", open: (place, parameters) => watch(place, parameters, COMPARE) },
  replay: { name: "Replay", open: replay },
  follow: { name: "Follow", open: follow },
};

const place = document.getElementById("view");
let shown = null;

/** What cannot be decoded names nothing, and is told so by its view. */
const decoded = (part) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const route = () => {
  const parts = location.hash.slice(1).split("/").map(decoded);
  return Object.hasOwn(VIEWS, parts[0]) ? { key: parts[0], parameters: parts.slice(1) } : { key: "play", parameters: [] };
};

const followRoute = () => {
  // The skip link is no route.
  if (location.hash === "#view") {
    history.replaceState(null, "", shown ? shown.hash : "#play");
    place.focus();
    return;
  }
  const { key, parameters } = route();
  // A view that is already open moves along by itself: Run names the game in the
  // address, and the board must not flicker for it.
  if (shown?.key === key) {
    shown.view.update(parameters);
    shown.hash = location.hash;
    return;
  }
  const isFirst = shown === null;
  shown?.view.close();
  const heading = element("h1", { tabindex: -1 }, VIEWS[key].name);
  place.replaceChildren(heading);
  shown = { key, view: VIEWS[key].open(place, parameters), hash: location.hash };
  document.title = `${VIEWS[key].name} · Arena 2048`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === key) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!isFirst) heading.focus();
};

addEventListener("hashchange", followRoute);
followRoute();
