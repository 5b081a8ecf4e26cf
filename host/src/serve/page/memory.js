// What a reload keeps: the settings, and a person's moves. Of this tab only, so that
// two windows do not disturb each other.

export const recall = (key, otherwise) => {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
};

export const remember = (key, value) => {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing forgets at the next reload, no more.
  }
};
