// Where games on the same tiles part: the first move on which they differ.

/** Counted from 1; null as long as no two of the games differ. */
export const partingMove = (games) => {
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
