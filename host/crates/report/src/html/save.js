// Saves the charts of the page as SVG files.

/** @param {HTMLButtonElement} button */
const save = (button) => {
  const svg = button.closest("figure")?.querySelector("template")?.content.firstElementChild;
  if (!svg) return;
  const file = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${button.dataset.name}.svg`;
  link.click();
  URL.revokeObjectURL(link.href);
};

/** @type {NodeListOf<HTMLButtonElement>} */
const saveButtons = document.querySelectorAll("button.save");
for (const button of saveButtons) {
  button.hidden = false;
  button.addEventListener("click", () => save(button));
}
