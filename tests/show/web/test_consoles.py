"""Consoles that follow a job to its end, and the page of a program's case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from show.web.conftest import running
from show.web.test_browser import violations
from tiny_corpus import TinyCorpus

from bugloss.core.visible import json_text
from bugloss.record.store.job import JobOutcome, JobState
from bugloss.record.store.opening import open_store
from bugloss.run.environment import Environment
from bugloss.show.api.app import create_app
from bugloss.show.api.settings import ServerSettings


@pytest.mark.browser
@pytest.mark.bubblewrap
def test_the_console_of_a_bug_shows_lines_and_result_without_leaving_the_page(
    chromium: Any, tiny: TinyCorpus, bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BUGLOSS_ISOLATION")
    tiny.add("torch-0001")
    settings = ServerSettings(work=tmp_path / "server", corpus_roots=(tiny.root,), port=0)
    with running(settings) as address:
        context = chromium.new_context(base_url=address)
        tab = context.new_page()
        tab.goto("/bugs/torch-0001")
        tab.click("button[value=test-buggy]")
        tab.wait_for_selector("[data-console][data-state=done]", timeout=60_000)
        tab.wait_for_selector("[data-result]:not([hidden])")
        assert tab.url == f"{address}/bugs/torch-0001"
        assert "running the test of torch-0001" in tab.inner_text("[data-lines]")
        assert "The test on the buggy program fail" in " ".join(tab.inner_text("[data-result]").split())
        assert violations(tab) == []
        context.close()


def test_the_case_of_a_program_shows_cause_patch_and_program(tmp_path: Path, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    settings = ServerSettings(work=tmp_path / "server", corpus_roots=(tiny.root,))
    diagnosis = {
        "causes": [{"cause": "wrong-activation", "explanation": "gets the output of softmax", "confidence": 1}]
    }
    patch = {"verdict": "fixed", "fix_pattern": "activation", "diff": "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n"}
    result = {"schema": "bugloss.case/1", "diagnosis": diagnosis, "repair": {"patches": [patch]}}
    store = open_store(settings.database_url)
    store.jobs.submit("investigate", "program.py", {"source": "print('<b>')\n", "name": "program.py"})
    job = store.jobs.claim("test", 60)
    assert job is not None
    store.jobs.finish(job, "test", JobOutcome(JobState.DONE, 0, json_text(result)))
    store.close()
    with TestClient(create_app(settings, run_jobs=False), base_url="http://127.0.0.1:8765") as client:
        page = client.get(f"/cases/{job.id}").text
    assert "gets the output of softmax" in page
    assert "Patch: activation" in page and "+new" in page
    assert "print(&#39;&lt;b&gt;&#39;)" in page
    assert "gone" not in page


@pytest.mark.parametrize(
    ("text", "field"),
    [("import torch\nmodel = torch.nn.Linear(2, 1)\n", "source"), ("My loss is NaN from the start, why?", "report")],
)
def test_the_page_cases_tells_a_program_from_a_report(
    tmp_path: Path, tiny: TinyCorpus, monkeypatch: pytest.MonkeyPatch, text: str, field: str
) -> None:
    monkeypatch.setattr("bugloss.show.api.jobs.service.works", lambda level: True)
    tiny.add("torch-0001")
    settings = ServerSettings(work=tmp_path / "server", corpus_roots=(tiny.root,))
    address = "http://127.0.0.1:8765"
    with TestClient(create_app(settings, run_jobs=False), base_url=address, follow_redirects=False) as client:
        token = client.get("/cases").text.split('name="csrf_token" value="')[1].split('"')[0]
        answer = client.post("/cases", data={"report": text, "csrf_token": token}, headers={"Origin": address})
        assert answer.status_code == 303
        request = client.get(f"/api/v1/jobs/{answer.headers['location'].rsplit('/', 1)[1]}").json()["request"]
    assert request[field].strip() == text.strip()
