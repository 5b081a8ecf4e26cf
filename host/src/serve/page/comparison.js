// Who leads, and from which move games on the same tiles part.
import { element, whole } from "./element.js";
import { partingMove } from "./parting.js";

export class Comparison {
  constructor() {
    this.element = element("p", { id: "comparison", class: "comparison", hidden: true });
  }

  set(lanes) {
    const isPlayed = lanes.length > 1 && lanes.some((lane) => lane.moves !== "");
    this.element.hidden = lanes.length < 2;
    const best = [...lanes].sort((one, other) => other.score - one.score);
    for (const lane of lanes) {
      lane.element.classList.toggle("leads", isPlayed && lane === best[0] && best[0].score > best[1].score);
    }
    if (!isPlayed) {
      this.element.textContent = "All play on the same tiles, move by move.";
      return;
    }
    const ahead = best[0].score - best[1].score;
    const lead = ahead === 0 ? `${best[0].name} and ${best[1].name} are level` : `${best[0].name} leads by ${whole(ahead)}`;
    const parting = partingMove(lanes.map((lane) => lane.moves));
    if (parting === null) delete this.element.dataset.parting;
    else this.element.dataset.parting = parting;
    this.element.textContent = `${lead}; ${parting === null ? "so far all play the same moves" : `the games part at move ${whole(parting)}`}.`;
  }
}
