// Conveniences for every page; nothing depends on them.
"use strict";

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest && event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    const field = document.querySelector("#query") || document.querySelector("#find");
    field.focus();
    field.select();
  }
});

// A filter applies as soon as it is chosen. Empty fields stay out of the address.
for (const form of document.querySelectorAll("form[data-submit-on-change]")) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("input[type=checkbox], input[type=radio], select, input[type=range]")) form.requestSubmit();
  });
  form.addEventListener("submit", () => {
    for (const field of form.querySelectorAll("input[type=search], input:not([type])")) field.disabled = !field.value;
  });
}
window.addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("form[data-submit-on-change] input:disabled")) field.disabled = false;
});

// On a narrow screen the filters start closed.
const filters = document.querySelector("#filters");
if (filters && window.matchMedia("(max-width: 52rem)").matches) filters.open = false;

// Commands can be copied.
for (const block of document.querySelectorAll("pre.command")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
}

// Ctrl + Enter sends a long text.
for (const field of document.querySelectorAll("textarea[data-send-with-enter]")) {
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) field.form.requestSubmit();
  });
}
