// Saves a game that is over as a record, and says where it is and how to check it.
import { element } from "./element.js";

export class SavedNote {
  constructor(save) {
    this.button = element("button", { id: "save", type: "button", click: async () => {
      this.button.disabled = true;
      try {
        this.show(await save(), true, this.nGames);
      } catch (refusal) {
        this.text.replaceChildren(refusal.message);
      }
      this.button.disabled = false;
    } }, "Save as a record");
    this.text = element("div", { id: "saved", role: "status" });
    this.element = element("div", { class: "saved" }, this.button, this.text);
    this.show(null, false);
  }

  /** With several games the first two are replayed side by side. */
  show(saved, canSave, nGames = 1) {
    this.nGames = nGames;
    this.button.hidden = saved !== null || !canSave;
    this.element.hidden = saved === null && !canSave;
    this.text.replaceChildren(...(saved === null ? [] : [
      element("p", {}, "Saved in ", element("code", { "data-saved": "folder" }, saved.folder), ". ",
        element("a", { href: `#replay/${encodeURIComponent(saved.run)}/${nGames > 1 ? "0/1" : "0"}` }, "Replay it"), "."),
      element("p", {}, "Check it with ", element("code", { "data-saved": "verify" }, saved.verify), "."),
    ]));
  }
}
