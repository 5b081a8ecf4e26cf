// Receives server-sent events and reconnects when the connection is lost.
import { connected, connectionLost } from "../dom/announcements.js";

const RECONNECT_MS = 2000;

/**
 * Opens a stream and returns the function that closes it.
 * @template {Record<string, object>} Events
 * @param {string} url
 * @param {{ [Name in keyof Events]: (data: Events[Name]) => void }} handlers by the name of the event
 * @param {() => void} onGone called when the server does not know the stream any more
 */
export const openStream = (url, handlers, onGone) => {
  /** @type {EventSource} */
  let source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isClosed = false;

  const connect = () => {
    source = new EventSource(url);
    source.addEventListener("open", connected);
    for (const [name, handler] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
    }
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) void findCause();
      else connectionLost();
    });
  };

  // The browser closes the source after a response that is not a stream and does not tell
  // its status, so the status is requested separately.
  const findCause = async () => {
    const status = await statusOf(url);
    if (isClosed) return;
    if (status === 404) {
      connected();
      onGone();
      return;
    }
    connectionLost();
    timer = setTimeout(connect, RECONNECT_MS);
  };

  connect();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    source.close();
    connected();
  };
};

/**
 * The status of a response; 0 if the server does not respond.
 * @param {string} url
 */
const statusOf = async (url) => {
  const control = new AbortController();
  try {
    const { status } = await fetch(url, { signal: control.signal });
    return status;
  } catch {
    return 0;
  } finally {
    control.abort();
  }
};
