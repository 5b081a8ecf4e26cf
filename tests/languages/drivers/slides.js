// Slides every board of boards.txt by the rules of the kit.

const fs = require("node:fs");
const kit = require("./my_kit.js");

const slides = [];
for (const line of fs.readFileSync("boards.txt", "utf8").trim().split("\n")) {
  const tiles = line.split(" ").map(Number);
  const side = Math.sqrt(tiles.length);
  const board = Array.from({ length: side }, (_, row) => tiles.slice(row * side, (row + 1) * side));
  for (const direction of kit.DIRECTIONS) {
    const slid = kit.slide(board, direction);
    if (Boolean(slid) !== kit.legalMoves(board).includes(direction)) throw new Error(line);
    slides.push(slid ? [slid.gain, ...slid.board.flat()].join(" ") : "-");
  }
}
fs.writeFileSync("slides.txt", slides.join("\n") + "\n");
