// Shows the games of the table `games` move by move. Every move is slid and merged
// here by the rules; the tile that followed it comes from the record.
"use strict";
(() => {
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const NAMES = ["up", "right", "down", "left"];
  const ARROWS = ["↑", "→", "↓", "←"];
  // A board is kept every so many moves, so that the slider need not play from the start.
  const STRIDE = 256;

  const element = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("#games tr[data-steps]")];
  const player = element("player");
  if (!player || rows.length === 0) return;
  const boardElement = element("player-board");
  const side = Number(getComputedStyle(boardElement).getPropertyValue("--side"));

  const decode = (text) => {
    const steps = [];
    for (let place = 0; place < text.length; place += 2) {
      const step = LETTERS.indexOf(text[place]) << 6 | LETTERS.indexOf(text[place + 1]);
      steps.push({ direction: step & 3, cell: step >> 2 & 63, exponent: 1 + (step >> 8) });
    }
    return steps;
  };

  // The cell that is `depth` steps away from the edge towards which a line slides.
  const cellOf = (direction, line, depth) => [
    depth * side + line,
    line * side + side - 1 - depth,
    (side - 1 - depth) * side + line,
    line * side + depth,
  ][direction];

  const slide = (cells, direction) => {
    const after = new Array(side * side).fill(0);
    const merged = [];
    let gain = 0;
    for (let line = 0; line < side; line++) {
      let free = 0;
      let mergeable = 0;
      for (let depth = 0; depth < side; depth++) {
        const exponent = cells[cellOf(direction, line, depth)];
        if (exponent === 0) continue;
        if (exponent === mergeable) {
          const cell = cellOf(direction, line, free - 1);
          after[cell] = exponent + 1;
          gain += 2 ** (exponent + 1);
          merged.push(cell);
          mergeable = 0;
        } else {
          after[cellOf(direction, line, free)] = exponent;
          mergeable = exponent;
          free += 1;
        }
      }
    }
    return { cells: after, gain, merged };
  };

  const open = (row) => {
    const steps = decode(row.dataset.steps);
    const cells = new Array(side * side).fill(0);
    for (const { cell, exponent } of steps.splice(0, 2)) cells[cell] = exponent;
    const game = { steps, score: Number(row.dataset.score), kept: [{ cells, score: 0 }] };
    let state = game.kept[0];
    steps.forEach((step, index) => {
      state = advance(state, step);
      if ((index + 1) % STRIDE === 0) game.kept.push(state);
    });
    return game;
  };

  const advance = (state, step) => {
    const { cells, gain, merged } = slide(state.cells, step.direction);
    cells[step.cell] = step.exponent;
    return { cells, score: state.score + gain, merged, spawn: step.cell };
  };

  const stateAt = (game, number) => {
    const from = Math.floor(number / STRIDE);
    let state = game.kept[from];
    for (let index = from * STRIDE; index < number; index++) state = advance(state, game.steps[index]);
    return state;
  };

  let game = null;
  let number = 0;
  let timer = 0;
  let due = 0;
  const fields = Array.from({ length: side * side }, () => {
    const field = document.createElement("span");
    boardElement.append(field);
    return field;
  });

  const show = (wanted) => {
    number = Math.max(0, Math.min(game.steps.length, wanted));
    const { cells, score, merged = [], spawn } = stateAt(game, number);
    cells.forEach((exponent, cell) => {
      const field = fields[cell];
      const tile = exponent === 0 ? "" : String(2 ** exponent);
      field.textContent = tile;
      field.style.setProperty("--e", exponent);
      const classes = exponent === 0 ? [] : ["tile", `d${Math.min(tile.length, 9)}`];
      if (exponent > 8) classes.push("deep");
      if (merged.includes(cell)) classes.push("merged");
      if (cell === spawn) classes.push("new");
      field.className = classes.join(" ");
    });
    const words = [];
    for (let row = 0; row < side; row++) {
      const tiles = cells.slice(row * side, (row + 1) * side);
      words.push(tiles.map((exponent) => (exponent === 0 ? "." : 2 ** exponent)).join(" "));
    }
    boardElement.setAttribute("aria-label", words.join(" / "));
    element("player-score").textContent = score.toLocaleString("en");
    element("player-number").textContent = number.toLocaleString("en");
    element("player-highest").textContent = String(2 ** Math.max(...cells));
    const last = number === 0 ? null : game.steps[number - 1].direction;
    element("player-direction").textContent = last === null ? "–" : `${ARROWS[last]} ${NAMES[last]}`;
    element("player-move").value = number;
    element("player-move").setAttribute("aria-valuetext", `move ${number}, score ${score}`);
    const ended = number === game.steps.length;
    const holds = score === game.score;
    element("player-verdict").textContent = !ended ? "" : holds
      ? `End of the game: the score is that of the record, ${score.toLocaleString("en")}.`
      : `End of the game, but the record says ${game.score}: host verify says more.`;
  };

  const pause = () => {
    cancelAnimationFrame(timer);
    timer = 0;
    element("player-play").textContent = "Play";
  };

  const tick = (now) => {
    const perSecond = Number(element("player-speed").value);
    const moves = Math.floor((now - due) * perSecond / 1000);
    if (moves > 0) {
      due += moves * 1000 / perSecond;
      show(number + moves);
    }
    if (number >= game.steps.length) pause();
    else timer = requestAnimationFrame(tick);
  };

  const play = () => {
    if (number >= game.steps.length) show(0);
    element("player-play").textContent = "Pause";
    due = performance.now();
    timer = requestAnimationFrame(tick);
  };

  const choose = (index) => {
    pause();
    game = open(rows[index]);
    element("player-move").max = game.steps.length;
    element("player-last").textContent = game.steps.length.toLocaleString("en");
    show(game.steps.length);
  };

  const on = (id, event, action) => element(id).addEventListener(event, action);
  on("player-game", "change", (event) => choose(event.target.selectedIndex));
  on("player-move", "input", (event) => { pause(); show(Number(event.target.value)); });
  on("player-play", "click", () => (timer ? pause() : play()));
  on("player-first", "click", () => { pause(); show(0); });
  on("player-end", "click", () => { pause(); show(game.steps.length); });
  on("player-back", "click", () => { pause(); show(number - 1); });
  on("player-forward", "click", () => { pause(); show(number + 1); });
  on("player-speed", "change", () => { due = performance.now(); });
  choose(element("player-game").selectedIndex);
  player.hidden = false;
})();
