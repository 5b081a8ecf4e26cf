// The part of an address that names a move.

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
