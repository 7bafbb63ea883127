"""``bugloss comment``: against a fake of GitHub's API, with issues that try to do harm."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bugloss.adapters.github import ACTIONS_ACCOUNT, IssueThread
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.web import WebQuery, headers_for
from bugloss.show.cli.main import main
from bugloss.show.formats.triage_comment import escaped
from bugloss.workflows.issue_comment import MARKER

TOKEN = "ghs_secret"
BODY = """My CNN does not learn, the loss stays at 2.302.

```python
model = nn.Sequential(nn.Linear(784, 10), nn.Softmax(dim=1))
loss = nn.CrossEntropyLoss()(model(x), y)
```
"""


@dataclass
class FakeGitHub:
    """The comments of one issue, as the API gives and takes them."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    status: int = 0
    address: str = ""

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if self.status:
            return self.status, {"message": "no"}
        if found := re.fullmatch(r"/repos/a/b/issues/5/comments\?per_page=(\d+)&page=(\d+)", path):
            size, page = int(found[1]), int(found[2])
            return 200, self.comments[size * (page - 1) : size * page]
        if method == "POST" and path == "/repos/a/b/issues/5/comments":
            return 201, self.add(ACTIONS_ACCOUNT, body["body"])
        if method == "PATCH" and (found := re.fullmatch(r"/repos/a/b/issues/comments/(\d+)", path)):
            comment = next(one for one in self.comments if one["id"] == int(found[1]))
            comment["body"] = body["body"]
            return 200, comment
        return 404, {"message": "Not Found"}

    def add(self, login: str, body: str) -> dict[str, Any]:
        self.comments.append({"id": len(self.comments) + 100, "user": {"login": login}, "body": body})
        return self.comments[-1]


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    fake = FakeGitHub()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else None
            fake.requests.append((self.command, self.path, dict(self.headers.items())))
            status, answer = fake.answer(self.command, self.path, body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = _serve  # noqa: N815 - names of the standard library

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    fake.address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("GITHUB_API_URL", fake.address)
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    yield fake
    server.shutdown()
    server.server_close()
    thread.join()


def event(folder: Path, title: str = "Loss does not fall", body: str = BODY, **issue: Any) -> str:
    document = {"issue": {"number": 5, "title": title, "body": body, **issue}, "repository": {"full_name": "a/b"}}
    path = folder / "event.json"
    path.write_text(json.dumps(document))
    return str(path)


def test_an_issue_gets_one_comment_that_is_updated(github: FakeGitHub, tmp_path: Path) -> None:
    assert main(["comment", event(tmp_path)]) == 0
    (comment,) = github.comments
    assert comment["body"].startswith(MARKER)
    assert "**" in comment["body"]
    first = comment["body"]
    assert main(["comment", event(tmp_path)]) == 0
    assert [method for method, _, _ in github.requests] == ["GET", "POST", "GET"]
    trace = "\n```\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)\n```\n"
    assert main(["comment", event(tmp_path, body=BODY + trace)]) == 0
    assert github.requests[-1][0] == "PATCH"
    assert len(github.comments) == 1
    assert comment["body"] != first


def test_our_comment_is_found_on_a_later_page(github: FakeGitHub, tmp_path: Path) -> None:
    for number in range(250):
        github.add("somebody", f"me too {number}")
    github.add(ACTIONS_ACCOUNT, f"{MARKER}\nold")
    assert main(["comment", event(tmp_path)]) == 0
    assert len(github.comments) == 251
    assert "old" not in github.comments[-1]["body"]


def test_a_comment_of_somebody_else_with_our_marker_is_left_alone(github: FakeGitHub, tmp_path: Path) -> None:
    github.add("mallory", f"{MARKER}\nmine")
    assert main(["comment", event(tmp_path)]) == 0
    assert github.comments[0]["body"].endswith("mine")
    assert len(github.comments) == 2


def test_the_token_is_sent_over_https_only(github: FakeGitHub, tmp_path: Path) -> None:
    main(["comment", event(tmp_path)])
    assert not any(TOKEN in str(headers) for _, _, headers in github.requests)
    query = WebQuery("https://api.github.com/x", secrets={"Authorization": f"Bearer {TOKEN}"}, method="POST")
    assert headers_for(query, query.url)["Authorization"] == f"Bearer {TOKEN}"
    assert "Authorization" not in headers_for(query, "https://elsewhere.example/x")


def test_a_pull_request_gets_no_comment(github: FakeGitHub, tmp_path: Path) -> None:
    assert main(["comment", event(tmp_path, pull_request={"url": "…"})]) == 0
    assert github.requests == []


def test_an_issue_about_something_else_gets_none_unless_it_is_asked_for(github: FakeGitHub, tmp_path: Path) -> None:
    other = event(
        tmp_path, "Typo in the README", "The second headline of the page says Instalation. Please correct it."
    )
    assert main(["comment", other]) == 0
    assert github.comments == []
    assert main(["comment", other, "--all"]) == 0
    assert len(github.comments) == 1


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_a_refusal_of_github_is_one_sentence(
    github: FakeGitHub, tmp_path: Path, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    github.status = status
    assert main(["comment", event(tmp_path)]) == 3
    said = capsys.readouterr().err
    assert f"status {status}" in said
    assert TOKEN not in said


def test_without_a_token_nothing_is_sent(
    github: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    assert main(["comment", event(tmp_path)]) == 3
    assert "GITHUB_TOKEN is not set" in capsys.readouterr().err
    assert main(["comment", event(tmp_path), "--dry-run"]) == 0
    assert github.requests == []


@pytest.mark.parametrize("text", ["{", "[]", '{"issue": 3}', '{"issue": {"title": "x", "number": "5"}}', ""])
def test_what_is_not_the_event_of_an_issue_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "event.json"
    path.write_text(text)
    assert main(["comment", str(path)]) == 2


@pytest.mark.parametrize("name", ["a", "a/b/c", "../x", "a/b?x=1", "a/b#1", "a/ b"])
def test_a_repository_cannot_name_another_address(name: str) -> None:
    with pytest.raises(InvalidInput):
        IssueThread(name, 5, TOKEN)


def test_a_server_that_is_not_there_is_an_environment_failure() -> None:
    with pytest.raises(EnvironmentFailure, match="did not respond"):
        IssueThread("a/b", 5, TOKEN, "http://127.0.0.1:9").find(MARKER)


@pytest.mark.parametrize(
    "text",
    [
        "@everyone #12",
        "[x](https://evil.example)",
        "<img src=x>",
        "`code`",
        "**bold**",
        "a\n# title",
        "www.evil.example",
    ],
)
def test_words_of_an_issue_become_no_markup(text: str) -> None:
    safe = escaped(text)
    assert not re.search(r"[@<`*\[\n]|(?<!&)#|https://|www\.", safe)


@pytest.mark.parametrize("title", ["$(touch hacked)", "`touch hacked`", '"; touch hacked; "', "::set-env::x", "a\nb"])
def test_a_title_is_data(github: FakeGitHub, tmp_path: Path, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["comment", event(tmp_path, title), "--all"]) == 0
    assert not (tmp_path / "hacked").exists()
