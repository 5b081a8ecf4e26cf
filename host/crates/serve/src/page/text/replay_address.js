// The parts of the address of a replay: games and moves.

/**
 * The worst or the best game of an agent, under one budget or all.
 * @typedef {{ order: "worst" | "best", agent: string, budget: string | null }} GameExtreme
 */

/**
 * @param {string} run
 * @param {GameExtreme} extreme
 */
export const extremeAddress = (run, { order, agent, budget }) =>
  `#replay/${encodeURIComponent(run)}/${encodeURIComponent([order, agent, ...(budget === null ? [] : [budget])].join(":"))}`;

/**
 * The game that `worst:AGENT` or `best:AGENT:BUDGET` stands for; null for any other text.
 * @param {string} part of the address
 * @returns {GameExtreme | null}
 */
export const parseExtreme = (part) => {
  const [order, agent, ...budget] = part.split(":");
  if ((order !== "worst" && order !== "best") || agent === undefined) return null;
  return { order, agent, budget: budget.length === 0 ? null : budget.join(":") };
};

/**
 * Splits the last part of an address, `3@120`, into the game and the move.
 * @param {string[]} parameters
 * @returns {{ names: string[], move: number | null }}
 */
export const splitMove = (parameters) => {
  const last = /^(?<name>.*)@(?<move>\d+)$/.exec(parameters.at(-1) ?? "")?.groups;
  if (last?.["name"] === undefined) return { names: parameters, move: null };
  return { names: [...parameters.slice(0, -1), last["name"]], move: Number(last["move"]) };
};
