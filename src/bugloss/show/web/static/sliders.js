// Shows the value of a slider while it is moved.
"use strict";

for (const slider of document.querySelectorAll("input[type=range]")) {
  const shown = slider.closest("label").querySelector("output");
  slider.addEventListener("input", () => { shown.textContent = slider.value; });
}
