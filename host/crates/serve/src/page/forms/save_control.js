// Saves a finished session as a run, and shows where it is and how to verify it.
import { element } from "../dom/element.js";
import { messageOf } from "../net/api.js";
/** @import { SavedSession } from "../net/server_json.js" */

export class SaveControl {
  #isSaving = false;
  #nGames = 1;

  /** @param {() => Promise<SavedSession>} save */
  constructor(save) {
    this.save = save;
    this.button = element("button", { id: "save", type: "button", click: () => void this.#saveOnce() }, "Save as a run");
    this.text = element("div", { id: "saved", role: "status" });
    this.element = element("div", { class: "saved" }, this.button, this.text);
    this.show(null, false);
  }

  async #saveOnce() {
    if (this.#isSaving) return;
    this.#isSaving = true;
    try {
      this.show(await this.save(), true, this.#nGames);
      // The button had the focus and is hidden now.
      this.text.querySelector("a")?.focus();
    } catch (error) {
      this.text.replaceChildren(messageOf(error));
    }
    this.#isSaving = false;
  }

  /**
   * @param {SavedSession | null} saved
   * @param {boolean} canSave
   * @param {number} [nGames] with several games, the link replays the first two side by side
   */
  show(saved, canSave, nGames = 1) {
    this.#nGames = nGames;
    this.button.hidden = saved !== null || !canSave;
    this.element.hidden = saved === null && !canSave;
    this.text.replaceChildren(...(saved === null ? [] : [
      element("p", {}, "Saved in ", element("code", { "data-saved": "folder" }, saved.folder), ". ",
        element("a", { href: `#replay/${encodeURIComponent(saved.run)}/${nGames > 1 ? "0/1" : "0"}` }, "Replay it"), "."),
      element("p", {}, "Verify it with ", element("code", { "data-saved": "verify" }, saved.verify), "."),
    ]));
  }
}
