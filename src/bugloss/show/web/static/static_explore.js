// Filters the bugs of a static Explore page: values of one facet widen, facets and words narrow, as on the server.
"use strict";

const { bugs, titles } = JSON.parse(document.querySelector("#catalogue").textContent);
const form = document.querySelector("form.explore");
const boxes = [...form.querySelectorAll("input[type=checkbox]")];
const rows = new Map([...form.querySelectorAll("[data-bug]")].map((row) => [row.dataset.bug, row]));
const query = form.querySelector("#query");
const tally = form.querySelector(".tally");
for (const bug of bugs) bug.index = ` ${bug.words}`;

function chosenFacets() {
  const chosen = new Map();
  for (const box of boxes.filter((one) => one.checked)) {
    chosen.set(box.name, [...(chosen.get(box.name) || []), box.value]);
  }
  return chosen;
}

// A bug is found when each word of the query begins one of its words; an id finds its bug.
function hasWords(bug, words) {
  return words.every((word) => bug.index.includes(` ${word}`));
}

function passes(bug, chosen, except) {
  for (const [name, values] of chosen) {
    if (name !== except && !bug.facets[name].some((value) => values.includes(value))) return false;
  }
  return true;
}

function link(text, remove) {
  const element = document.createElement("a");
  element.className = "active";
  element.href = "#";
  element.textContent = `${text} ×`;
  element.addEventListener("click", (event) => { event.preventDefault(); remove(); show(); });
  return element;
}

function showActive(chosen) {
  for (const old of tally.querySelectorAll("a")) old.remove();
  if (query.value.trim()) tally.append(link(`Text: ${query.value.trim()}`, () => { query.value = ""; }), " ");
  for (const box of boxes.filter((one) => one.checked)) {
    const value = box.closest("label").querySelector("span").textContent;
    tally.append(link(`${titles[box.name]}: ${value}`, () => { box.checked = false; }), " ");
  }
}

function keepAddress(chosen) {
  const pairs = query.value.trim() ? [["q", query.value.trim()]] : [];
  for (const [name, values] of chosen) pairs.push(...values.map((value) => [name, value]));
  const address = pairs.length ? `?${new URLSearchParams(pairs)}` : location.pathname;
  history.replaceState(null, "", address);
}

function show() {
  const chosen = chosenFacets();
  const text = query.value.trim().toLowerCase();
  const known = bugs.filter((bug) => bug.id === text);
  const words = text.match(/[a-z][a-z0-9_]+|\d+/g) || [];
  const found = known.length ? known : bugs.filter((bug) => hasWords(bug, words));
  const passing = new Set(found.filter((bug) => passes(bug, chosen, "")).map((bug) => bug.id));
  for (const [id, row] of rows) row.hidden = !passing.has(id);
  for (const box of boxes) {
    const count = found.filter((bug) => bug.facets[box.name].includes(box.value) && passes(bug, chosen, box.name)).length;
    const item = box.closest("li");
    item.querySelector(".count").textContent = count;
    item.hidden = !count && !box.checked;
  }
  tally.querySelector("[data-total]").textContent = passing.size;
  showActive(chosen);
  keepAddress(chosen);
}

for (const [name, value] of new URLSearchParams(location.search)) {
  if (name === "q") query.value = value;
  for (const box of boxes) {
    if (box.name !== name || box.value !== value) continue;
    box.checked = true;
    for (let group = box.closest("details"); group; group = group.parentElement.closest("details.facet")) group.open = true;
  }
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  for (const field of form.querySelectorAll("input:disabled")) field.disabled = false;
  show();
});
query.addEventListener("input", show);
show();
