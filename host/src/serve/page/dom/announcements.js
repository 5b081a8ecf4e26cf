// Messages outside the views: a banner while the connection is lost, and announcements for
// screen readers. Single moves are not announced, because nobody could follow them.
import { elementById } from "./element.js";

let isLost = false;

export const connectionLost = () => {
  isLost = true;
  const banner = elementById("banner");
  banner.textContent = "Connection to the server lost. Reconnecting…";
  banner.hidden = false;
};

export const connected = () => {
  if (!isLost) return;
  isLost = false;
  elementById("banner").hidden = true;
};

/** @param {string} text */
export const announce = (text) => {
  elementById("announcer").textContent = text;
};
