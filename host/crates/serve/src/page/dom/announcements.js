// Announcements for screen readers. Single moves are not announced, because nobody could follow
// them.
import { elementById } from "./element.js";

/** @param {string} text */
export const announce = (text) => {
  elementById("announcer").textContent = text;
};
