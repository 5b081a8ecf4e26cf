// The parameters of an agent as a short text.
/** @import { Params } from "../net/server_json.js" */

/**
 * `depth: 4, mode: fast`.
 * @param {Params} params
 */
export const parametersInWords = (params) =>
  Object.entries(params)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
