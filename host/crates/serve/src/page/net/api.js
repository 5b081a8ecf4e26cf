// Requests to the server. While it does not respond, the page shows a banner and repeats
// requests that change nothing, so every view recovers by itself.
import { connected, connectionLost } from "./connection.js";
/** @import { FieldDiagnostic } from "./server_json.js" */

const RETRY_MS = 1000;

/** A request that failed, with each error and the field it belongs to. */
export class RequestError extends Error {
  /**
   * @param {number} status of the response; 0 if there was none
   * @param {FieldDiagnostic[]} diagnostics
   */
  constructor(status, diagnostics) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join("; "));
    this.status = status;
    this.diagnostics = diagnostics;
  }
}

/**
 * What went wrong, with the fields. Any other error becomes a message without a field.
 * @param {unknown} error
 * @returns {FieldDiagnostic[]}
 */
export const diagnosticsOf = (error) => {
  if (error instanceof RequestError) return error.diagnostics;
  return [{ field: "", message: messageOf(error) }];
};

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {unknown} error */
export const isNotFound = (error) => error instanceof RequestError && error.status === 404;

/** The error of a request without a response; shows that the connection is lost. */
export const noResponse = () => {
  connectionLost();
  const message = "the server does not respond; is it still running?";
  return new RequestError(0, [{ field: "", message }]);
};

/**
 * Sends a request and returns the response, which is one of success.
 * @param {string} url
 * @param {RequestInit} [options]
 */
export const request = async (url, options) => {
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    // An aborted request says nothing about the server.
    if (options?.signal?.aborted) throw error;
    throw noResponse();
  }
  connected();
  if (response.ok) return response;
  const value = parseJson(await response.text());
  const message = `the server responded with status ${response.status}`;
  throw new RequestError(response.status, value?.diagnostics ?? [{ field: "", message }]);
};

/**
 * Null for a text that is empty or not JSON.
 * @param {string} text
 */
const parseJson = (text) => {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * Sends a request and returns the JSON of the response, or null if the response is empty.
 * @param {string} url
 * @param {RequestInit} [options]
 */
const requestJson = async (url, options) => parseJson(await (await request(url, options)).text());

/**
 * Repeats a request that changes nothing until the server responds.
 * @param {string} url
 * @param {RequestInit} [options]
 */
const requestUntilAnswered = async (url, options) => {
  for (;;) {
    try {
      return await requestJson(url, options);
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 0) throw error;
    }
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
  }
};

/** @param {object} body */
const jsonPost = (body) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/**
 * The caller states the type of the response, see server_json.d.ts.
 * @template Response
 * @param {string} url
 * @returns {Promise<Response>}
 */
export const get = (url) => requestUntilAnswered(url);

/**
 * A question that is too long for an address. The server changes nothing.
 * @template Response
 * @param {string} url
 * @param {object} body
 * @returns {Promise<Response>}
 */
export const ask = (url, body) => requestUntilAnswered(url, jsonPost(body));

/**
 * The caller states the type of the response, see server_json.d.ts.
 * @template Response
 * @param {string} url
 * @param {object} body
 * @returns {Promise<Response>}
 */
export const post = (url, body) => requestJson(url, jsonPost(body));

/**
 * A template tag that encodes the variable parts of a path.
 * @param {TemplateStringsArray} parts
 * @param {...(string | number | null)} values
 */
export const path = (parts, ...values) => String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(String(value))));
