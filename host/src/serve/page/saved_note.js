// Saves a game that is over as a record, and says where it is and how to check it.
import { element } from "./element.js";

export class SavedNote {
  constructor(save) {
    this.save = save;
    this.isSaving = false;
    this.button = element("button", { id: "save", type: "button", click: () => this.saveOnce() }, "Save as a record");
    this.text = element("div", { id: "saved", role: "status" });
    this.element = element("div", { class: "saved" }, this.button, this.text);
    this.show(null, false);
  }

  async saveOnce() {
    if (this.isSaving) return;
    this.isSaving = true;
    try {
      this.show(await this.save(), true, this.nGames);
      // The button is gone, and the focus with it.
      this.text.querySelector("a").focus();
    } catch (refusal) {
      this.text.replaceChildren(refusal.message);
    }
    this.isSaving = false;
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
