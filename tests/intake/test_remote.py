"""Questions and issues by number: recorded answers come from a server on this machine."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from bugloss.core.errors import EnvironmentFailure, InvalidInput, Offline
from bugloss.core.report import ReportSource
from bugloss.intake.remote import Library

QUESTION = {
    "items": [
        {
            "question_id": 5,
            "title": "T",
            "body": "<p>B</p>",
            "tags": ["keras"],
            "creation_date": 1,
            "link": "https://stackoverflow.com/q/5",
        }
    ]
}
ISSUE = {
    "number": 7,
    "title": "Crash",
    "body": "It *crashes*",
    "labels": [],
    "created_at": "2020-01-02T03:04:05Z",
    "html_url": "https://github.com/o/r/issues/7",
}
ANSWERS = {
    "/questions/5?site=stackoverflow&filter=withbody": (200, gzip.compress(json.dumps(QUESTION).encode())),
    "/questions/6?site=stackoverflow&filter=withbody": (200, b'{"items": []}'),
    "/questions/8?site=stackoverflow&filter=withbody": (400, b'{"error_name": "throttle_violation"}'),
    "/repos/o/r/issues/7": (200, json.dumps(ISSUE).encode()),
    "/repos/o/r/issues/8": (500, b""),
    "/repos/o/r/issues/9": (200, b"<html>"),
    "/repos/o/r/issues/10": (200, b"\x1f\x8b damaged"),
}


class Recorded(BaseHTTPRequestHandler):
    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(self.path)
        status, content = ANSWERS.get(self.path, (404, b"{}"))
        self.send_response(status)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    server = HTTPServer(("127.0.0.1", 0), Recorded)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("BUGLOSS_STACK_EXCHANGE_URL", address)
    monkeypatch.setenv("BUGLOSS_GITHUB_URL", f"{address}/")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    Recorded.asked.clear()
    yield Recorded.asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_question_is_fetched_once_and_then_kept(asked: list[str], tmp_path: Path) -> None:
    library = Library(tmp_path)
    report = library.fetch("so:5")
    assert (report.title, report.body, report.source) == ("T", "B\n", ReportSource.STACK_OVERFLOW)
    assert library.fetch("so:5") == report
    assert len(asked) == 1
    assert Library(tmp_path, offline=True).fetch("so:5") == report


def test_an_issue_is_fetched_by_owner_repository_and_number(asked: list[str], tmp_path: Path) -> None:
    report = Library(tmp_path).fetch("gh:o/r#7")
    assert (report.title, report.body, report.source) == ("Crash", "It *crashes*", ReportSource.GITHUB)


def test_a_cache_that_cannot_be_written_costs_only_time(asked: list[str], tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert Library(blocked / "below").fetch("so:5").title == "T"


@pytest.mark.parametrize(
    ("reference", "kind", "sentence"),
    [
        ("so:6", InvalidInput, "does not exist"),
        ("so:7", InvalidInput, "does not exist"),
        ("so:8", EnvironmentFailure, "refuses"),
        ("gh:o/r#8", EnvironmentFailure, "status 500"),
        ("gh:o/r#9", EnvironmentFailure, "not JSON"),
        ("gh:o/r#10", EnvironmentFailure, "damaged"),
        ("so:abc", InvalidInput, "is not a report"),
        ("gh:o/r", InvalidInput, "is not a report"),
        ("gh:../../x#1", InvalidInput, "is not a report"),
    ],
)
def test_every_failure_is_one_sentence(
    asked: list[str], tmp_path: Path, reference: str, kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence):
        Library(tmp_path).fetch(reference)


def test_offline_says_what_to_do_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Offline, match="not in the cache") as caught:
        Library(tmp_path, offline=True).fetch("so:5")
    assert "Markdown file" in caught.value.hint
    monkeypatch.setenv("BUGLOSS_GITHUB_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(Offline, match="cannot be fetched"):
        Library(tmp_path).fetch("gh:o/r#7")
