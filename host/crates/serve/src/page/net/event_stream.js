// Receives server-sent events and reconnects when the connection is lost.
import { connected, connectionLost } from "./connection.js";

const RECONNECT_MS = 2000;

/**
 * Opens a stream and returns the function that closes it.
 * @template {Record<string, object>} Events
 * @param {string} url
 * @param {{ [Name in keyof Events]: (data: Events[Name], id: string) => void }} handlers by the name of the event
 * @param {(reason: string) => void} onGone called when the server does not know the stream any more
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
      source.addEventListener(name, (event) => handler(JSON.parse(event.data), event.lastEventId));
    }
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) void findCause();
      else connectionLost();
    });
  };

  // The browser closes the source after a response that is not a stream and does not tell
  // its status, so the status is requested separately.
  const findCause = async () => {
    const reason = await reasonToStop(url);
    if (isClosed) return;
    if (reason !== null) {
      connected();
      onGone(reason);
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
  };
};

/**
 * What the server says about a stream that it does not know; null if it does not respond or
 * knows the stream.
 * @param {string} url
 * @returns {Promise<string | null>}
 */
const reasonToStop = async (url) => {
  const control = new AbortController();
  try {
    const response = await fetch(url, { signal: control.signal });
    if (response.status !== 404) return null;
    const { diagnostics } = await response.json();
    return String(diagnostics[0].message);
  } catch {
    return null;
  } finally {
    control.abort();
  }
};
