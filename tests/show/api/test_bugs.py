"""Bugs over HTTP."""

from __future__ import annotations

import io
import shutil
import time
import zipfile
from pathlib import Path

from fastapi.testclient import TestClient

from bugloss.corpus.collection import load
from bugloss.corpus.roots import shipped_root


def test_pages_of_a_list_hold_every_bug_once(shipped_client: TestClient) -> None:
    seen: list[str] = []
    cursor = ""
    while True:
        page = shipped_client.get("/api/v1/bugs", params={"limit": 30, "cursor": cursor}).json()
        seen += [bug["id"] for bug in page["bugs"]]
        if not page["next"]:
            break
        cursor = page["next"]
    assert seen == list(load(shipped_root()))
    assert page["total"] == len(seen)


def test_a_count_of_a_facet_is_the_length_of_the_list_it_leads_to(shipped_client: TestClient) -> None:
    listed = shipped_client.get("/api/v1/bugs", params={"framework": "torch", "where": "seconds<10"}).json()
    for facet in ("category", "symptom", "framework", "edit_actions"):
        for value in listed["facets"][facet]:
            chosen = {"where": "seconds<10", "framework": "torch", facet: value["value"]}
            if facet != "framework":
                assert shipped_client.get("/api/v1/bugs", params=chosen).json()["total"] == value["count"]


def test_a_search_lists_the_best_match_first_with_its_words(shipped_client: TestClient) -> None:
    bugs = shipped_client.get("/api/v1/bugs", params={"text": "softmax"}).json()["bugs"]
    scores = [bug["score"] for bug in bugs]
    assert scores == sorted(scores, reverse=True)
    assert all("«" in bug["excerpt"] for bug in bugs)


def test_a_bug_has_its_report_and_its_fix(shipped_client: TestClient) -> None:
    bug = shipped_client.get("/api/v1/bugs/torch-0003").json()
    entry = load(shipped_root())["torch-0003"]
    assert bug["schema"] == "bugloss.bug/1"
    assert (bug["report"], bug["diff"]) == (entry.report, entry.diff())


def test_an_unknown_bug_is_not_found_in_our_error_shape(shipped_client: TestClient) -> None:
    response = shipped_client.get("/api/v1/bugs/torch-9999")
    assert response.status_code == 404
    assert response.json()["schema"] == "bugloss.error/1"
    assert response.json()["error"] == "unknown-bug"


def test_an_unchanged_list_is_not_sent_twice(shipped_client: TestClient) -> None:
    first = shipped_client.get("/api/v1/bugs", params={"limit": 5})
    again = shipped_client.get("/api/v1/bugs", params={"limit": 5}, headers={"If-None-Match": first.headers["etag"]})
    other = shipped_client.get("/api/v1/bugs", params={"limit": 6}, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, other.status_code) == (304, b"", 200)


def test_a_changed_corpus_is_seen(client: TestClient, corpus_copy: Path) -> None:
    first = client.get("/api/v1/bugs")
    shutil.rmtree(corpus_copy / "torch" / "torch-0006")
    time.sleep(1.2)  # as long as a change may go unseen
    second = client.get("/api/v1/bugs", headers={"If-None-Match": first.headers["etag"]})
    assert (first.json()["total"], second.json()["total"]) == (3, 2)


def test_every_error_has_one_shape(shipped_client: TestClient) -> None:
    answers = {
        404: shipped_client.get("/api/v1/nothing"),
        405: shipped_client.put("/api/v1/bugs"),
        400: shipped_client.get("/api/v1/bugs", params={"where": "categori=tensor"}),
        422: shipped_client.get("/api/v1/bugs", params={"limit": "many"}),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        assert set(answer.json()) == {"schema", "error", "message", "hint"}


def test_a_checkout_has_one_program_and_nothing_that_gives_the_fix_away(shipped_client: TestClient) -> None:
    answer = shipped_client.get("/api/v1/bugs/torch-0003/checkout", params={"program": "buggy"})
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = set(archive.namelist())
        program = archive.read("torch-0003b/classify_shapes.py")
    assert program == (shipped_root() / "torch/torch-0003/buggy/classify_shapes.py").read_bytes()
    assert not {name for name in names if "fixed" in name or name.endswith("bug.toml")}


def test_bugs_are_queried_and_exported_as_on_the_command_line(shipped_client: TestClient) -> None:
    found = shipped_client.get("/api/v1/query", params={"fields": "id,stack", "where": "framework=torch"}).json()
    assert ["torch-0003", "torch"] in found["rows"]
    assert shipped_client.get("/api/v1/query", params={"fields": "nothing"}).status_code == 400
    exported = shipped_client.get("/api/v1/bugs/torch-0003/export", params={"format": "docker"}).json()
    assert exported["filename"] == "Dockerfile" and exported["text"].strip()
    rule = shipped_client.get("/api/v1/rules/shape-conflict").json()
    assert [one["rule"] for one in rule["rules"]] == ["shape-conflict"]


def test_real_and_synthetic_bugs_are_counted_apart(shipped_client: TestClient) -> None:
    every = shipped_client.get("/api/v1/bugs", params={"limit": 1}).json()
    counts = {one["value"]: one["count"] for one in every["facets"]["kind"]}
    assert sum(counts.values()) == every["total"]
    assert shipped_client.get("/api/v1/bugs", params={"kind": "real"}).json()["total"] == counts["real"]
