"""Bugs over HTTP."""

from __future__ import annotations

from fastapi.testclient import TestClient

from bugloss.corpus.collection import load
from bugloss.corpus.roots import shipped_root


def test_pages_of_a_list_hold_every_bug_once(client: TestClient) -> None:
    seen: list[str] = []
    cursor = ""
    while True:
        page = client.get("/api/v1/bugs", params={"limit": 30, "cursor": cursor}).json()
        seen += [bug["id"] for bug in page["bugs"]]
        if not page["next"]:
            break
        cursor = page["next"]
    assert seen == list(load(shipped_root()))
    assert page["total"] == len(seen)


def test_a_count_of_a_facet_is_the_length_of_the_list_it_leads_to(client: TestClient) -> None:
    listed = client.get("/api/v1/bugs", params={"framework": "torch", "where": "seconds<10"}).json()
    for facet in ("category", "symptom", "framework", "edit_actions"):
        for value in listed["facets"][facet]:
            chosen = {"where": "seconds<10", "framework": "torch", facet: value["value"]}
            if facet != "framework":
                assert client.get("/api/v1/bugs", params=chosen).json()["total"] == value["count"]


def test_a_search_lists_the_best_match_first_with_its_words(client: TestClient) -> None:
    bugs = client.get("/api/v1/bugs", params={"text": "softmax"}).json()["bugs"]
    scores = [bug["score"] for bug in bugs]
    assert scores == sorted(scores, reverse=True)
    assert all("«" in bug["excerpt"] for bug in bugs)


def test_a_bug_has_its_report_and_its_fix(client: TestClient) -> None:
    bug = client.get("/api/v1/bugs/torch-0003").json()
    entry = load(shipped_root())["torch-0003"]
    assert bug["schema"] == "bugloss.bug/1"
    assert (bug["report"], bug["diff"]) == (entry.report, entry.diff())


def test_an_unknown_bug_is_not_found_in_our_error_shape(client: TestClient) -> None:
    response = client.get("/api/v1/bugs/torch-9999")
    assert response.status_code == 404
    assert response.json()["schema"] == "bugloss.error/1"
    assert response.json()["error"] == "unknown-bug"
