// What survives a reload: the settings, and the moves of a person. It is stored per tab, so
// that two windows do not affect each other. Only best scores are kept for all windows.

/**
 * The stored value, or `otherwise` if there is none. Only this page writes to the storage,
 * so a value that is found has the type it was stored with.
 * @template Value
 * @param {string} key
 * @param {Value} otherwise
 * @returns {Value}
 */
export const recall = (key, otherwise) => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
};

/**
 * @param {string} key
 * @param {unknown} value
 */
export const remember = (key, value) => {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the settings are lost on the next reload, nothing else.
  }
};

const BEST = "best-score-";

/**
 * The best score of a person on boards of this size, this score included.
 * @param {number} size
 * @param {number} score
 */
export const bestScore = (size, score) => {
  try {
    const best = Math.max(score, Number(localStorage.getItem(BEST + size) ?? 0) || 0);
    localStorage.setItem(BEST + size, String(best));
    return best;
  } catch {
    return score;
  }
};
