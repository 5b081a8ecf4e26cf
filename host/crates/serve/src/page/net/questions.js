// Asks agents about positions and receives their answers as they come. The agents end when
// the request is aborted.
import { RequestError, noResponse, request } from "./api.js";
/** @import { AnswerEvent, Question } from "./server_json.js" */

/**
 * Calls `onEvent` for each answer; returns when all agents have answered.
 * @param {Question} question
 * @param {(event: AnswerEvent) => void} onEvent
 * @param {AbortSignal} signal
 */
export const ask = (question, onEvent, signal) => readEvents("/api/questions", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(question),
  signal,
}, onEvent);

/**
 * Calls `onEvent` for each event of a response; returns at its end.
 * @template Event
 * @param {string} url
 * @param {RequestInit} options
 * @param {(event: Event) => void} onEvent
 */
export const readEvents = async (url, options, onEvent) => {
  const response = await request(url, options);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new RequestError(response.status, [{ field: "", message: "the server sent no answer" }]);
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      if (options.signal?.aborted) throw error;
      throw noResponse();
    });
    if (done) return;
    const { events, left } = splitEvents(rest + value);
    rest = left;
    for (const event of events) onEvent(event);
  }
};

/**
 * The complete events in a text, and what is left. Every event is one line of data; other
 * lines keep the connection alive.
 * @param {string} text
 * @returns {{ events: any[], left: string }}
 */
export const splitEvents = (text) => {
  const lines = text.split("\n");
  const left = lines.pop() ?? "";
  const data = lines.filter((line) => line.startsWith("data:"));
  return { events: data.map((line) => JSON.parse(line.slice("data:".length))), left };
};
