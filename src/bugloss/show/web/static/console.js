// Follows a job over server-sent events, and starts jobs without leaving the page.
"use strict";

const finalStates = new Set(["done", "failed", "cancelled"]);

function follow(panel, job) {
  const lines = panel.querySelector("[data-lines]");
  const words = panel.querySelector("[data-state-words]");
  panel.hidden = false;
  panel.dataset.job = job;
  panel.querySelector("[data-job-link]").href = `/jobs/${job}`;
  lines.textContent = "";
  for (const place of panel.querySelectorAll("[data-result]")) place.hidden = true;
  const source = new EventSource(`/api/v1/jobs/${job}/events`);
  const setState = (state) => {
    panel.dataset.state = state;
    words.textContent = state;
    if (finalStates.has(state)) {
      source.close();
      panel.dispatchEvent(new CustomEvent("job-ended", { bubbles: true, detail: { job, state } }));
    }
  };
  source.addEventListener("state", (event) => setState(textOf(event)));
  source.addEventListener("progress", (event) => {
    const atEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
    lines.append(`${textOf(event)}\n`);
    if (atEnd) lines.scrollTop = lines.scrollHeight;
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED && !finalStates.has(panel.dataset.state)) words.textContent = "connection lost: reload the page";
  });
}

function textOf(event) {
  try {
    const data = JSON.parse(event.data);
    return typeof data === "string" ? data : data.text;
  } catch {
    return event.data;
  }
}

for (const panel of document.querySelectorAll("[data-console][data-job]")) {
  if (!finalStates.has(panel.dataset.state)) follow(panel, panel.dataset.job);
}

// On the page of a job, what came out is there when it has ended.
document.addEventListener("job-ended", () => {
  if (document.querySelector("[data-reload-at-end]")) setTimeout(() => location.reload(), 300);
});

// On the page of a bug, it is put into the console.
document.addEventListener("job-ended", async (event) => {
  const place = document.querySelector("[data-result]");
  if (!place) return;
  const answer = await fetch(`/jobs/${event.detail.job}/result`);
  if (!answer.ok) return;
  place.innerHTML = await answer.text();
  place.hidden = false;
});

for (const form of document.querySelectorAll("form[data-start-job]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const panel = document.querySelector("[data-console]");
    // The buttons are called action, so form.action is one of them.
    const data = new URLSearchParams(new FormData(form, event.submitter));
    const words = panel.querySelector("[data-state-words]");
    panel.hidden = false;
    words.textContent = "asking the server";
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body: data, headers: { Accept: "application/json" } });
    const document_ = await answer.json().catch(() => ({}));
    if (answer.ok) follow(panel, document_.job);
    else {
      panel.dataset.state = "failed";
      words.textContent = document_.message || `the server answered ${answer.status}`;
    }
  });
}
