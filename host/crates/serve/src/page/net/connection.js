// Whether the server responds. While it does not, a banner says so, and it is asked every second.
import { elementById } from "../dom/element.js";

const ASK_INTERVAL_MS = 1000;

/** @type {ReturnType<typeof setInterval> | null} while the connection is lost */
let timer = null;
/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * Calls a function whenever the server responds again; returns the function that ends that.
 * @param {() => void} listener
 */
export const onReconnected = (listener) => {
  listeners.add(listener);
  return () => { listeners.delete(listener); };
};

export const connectionLost = () => {
  const banner = elementById("banner");
  banner.textContent = "Connection to the server lost. Reconnecting…";
  banner.hidden = false;
  timer ??= setInterval(() => void askServer(), ASK_INTERVAL_MS);
};

export const connected = () => {
  if (timer === null) return;
  clearInterval(timer);
  timer = null;
  elementById("banner").hidden = true;
  for (const listener of listeners) listener();
};

/** Views that request nothing by themselves do not notice that the server is back. */
const askServer = async () => {
  try {
    if ((await fetch("/api/health")).ok) connected();
  } catch {
    // It is still away.
  }
};
