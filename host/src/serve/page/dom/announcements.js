// Messages outside the views: a banner while the connection is lost, and announcements for
// screen readers. Single moves are not announced, because nobody could follow them.
import { elementById } from "./element.js";

export const connectionLost = () => {
  const banner = elementById("banner");
  banner.textContent = "Connection to the server lost. Reconnecting…";
  banner.hidden = false;
};

export const connected = () => {
  elementById("banner").hidden = true;
};

/** @param {string} text */
export const announce = (text) => {
  elementById("announcer").textContent = text;
};
