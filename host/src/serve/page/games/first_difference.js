// The first move at which games on the same tiles differ.

/**
 * Counted from 1; null if no two of the games differ.
 * @param {string[]} games the moves of each game, one letter per move
 * @returns {number | null}
 */
export const firstDifference = (games) => {
  /** @type {number | null} */
  let first = null;
  for (const [place, one] of games.entries()) {
    for (const other of games.slice(place + 1)) {
      const length = Math.min(one.length, other.length, first ?? Infinity);
      for (let index = 0; index < length; index++) {
        if (one[index] !== other[index]) {
          first = index + 1;
          break;
        }
      }
    }
  }
  return first;
};
