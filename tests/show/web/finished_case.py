"""An investigation that is done, as a server keeps it: the job, and the values of its page."""

from __future__ import annotations

from bugloss.core.codec import encode
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside
from bugloss.record.store.job import JobOutcome, JobState
from bugloss.record.store.opening import open_store
from bugloss.show.api.settings import ServerSettings
from bugloss.show.case.view import CaseView, EditRow, ScriptLine

CASE = CaseView(
    title="RuntimeError in my CNN",
    source="a report without a URL",
    tags=("pytorch",),
    level="R4",
    tone="good",
    verdict="reproduced exactly",
    reason="same class, message and raising function (forward); 5 of 5 runs show it",
    expected="RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)",
    observed="RuntimeError: mat1 and mat2 shapes cannot be multiplied (90x256 and 400x120)",
    command="uv run case/repro.py",
    script=(ScriptLine(1, "import torch", True), ScriptLine(2, "loss.backward()", False)),
    edits=(
        EditRow(
            "A4",
            "Import addition",
            "Adds an import.",
            "F is used, but not imported",
            "",
            "1",
            "yes",
            "--- before\n+++ after\n@@ -1 +1,2 @@\n+import torch\n",
        ),
    ),
    facts=(("Stack", "torch"), ("Confirming runs", "5 of 5 runs show it")),
    questions=("Please show how model is built.",),
    kind="Tensors & inputs",
    kind_share="75%",
    origin="in the code",
    words=("shapes",),
    information=(("Data", True), ("Hyperparameters", False)),
    attempts=((1, "R4", "RuntimeError", "A4", "it matches"),),
    causes=(("layer-size-mismatch", "fc1 takes 400 features.", "write `nn.Linear(256, 120)`", ("line 1: here",)),),
    similar=(("torch-0003", "First fully connected layer expects 400 features"),),
    remarks=(),
    body="# RuntimeError in my CNN\n",
    version="0.1.0",
)


def store_case(settings: ServerSettings) -> str:
    """Puts it into the store of a server that has not started yet; returns the id of the job."""
    store = open_store(settings.database_url)
    store.jobs.submit("investigate", CASE.title, {"report": CASE.body})
    job = store.jobs.claim("test", 60)
    assert job is not None
    write_inside(settings.work, f"jobs/{job.id}/case/page.json", json_text(encode(CASE)))
    store.jobs.finish(job, "test", JobOutcome(JobState.DONE, 0, "{}"))
    store.close()
    return job.id
