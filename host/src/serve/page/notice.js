// What the page says beside its views: a banner for a lost connection, and the words
// for those who listen. Moves are not announced one by one, nobody could follow them.

const banner = document.getElementById("banner");
const announcer = document.getElementById("announcer");

export const connectionLost = () => {
  banner.textContent = "The connection to the server is lost. Trying again…";
  banner.hidden = false;
};

export const connected = () => {
  banner.hidden = true;
};

export const announce = (text) => {
  announcer.textContent = text;
};
