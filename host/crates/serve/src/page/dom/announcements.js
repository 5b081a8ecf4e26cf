// Announcements for screen readers. Single moves are not announced, because they come too fast
// to follow.
import { elementById } from "./element.js";

/** @param {string} text */
export const announce = (text) => {
  elementById("announcer").textContent = text;
};
