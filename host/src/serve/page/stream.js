// Follows a stream of events, and keeps at it when the connection is lost.
import { connected, connectionLost } from "./notice.js";

const PAUSE_MS = 2000;

/** Returns the function that ends it. `gone` is called when the server no longer knows the stream. */
export const followStream = (path, handlers, gone) => {
  let source = null;
  let timer = 0;
  let isClosed = false;

  const connect = () => {
    source = new EventSource(path);
    source.addEventListener("open", connected);
    for (const [name, handler] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
    }
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) askWhy();
      else connectionLost();
    });
  };

  // The browser gives up on an answer that is no stream without saying what it was.
  const askWhy = async () => {
    const status = await statusOf(path);
    if (isClosed) return;
    if (status === 404) {
      connected();
      gone();
      return;
    }
    connectionLost();
    timer = setTimeout(connect, PAUSE_MS);
  };

  connect();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    source.close();
    connected();
  };
};

const statusOf = async (path) => {
  const control = new AbortController();
  try {
    const { status } = await fetch(path, { signal: control.signal });
    return status;
  } catch {
    return 0;
  } finally {
    control.abort();
  }
};
