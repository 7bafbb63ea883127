"""Servers that are slow, endless, or send us elsewhere: time and size end them, and a token stays with its own host."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bugloss.core import web
from bugloss.core.errors import BuglossError, EnvironmentFailure, Offline
from bugloss.core.web import NoAnswer, WebQuery, fetch, headers_for, redirected
from bugloss.intake import remote
from bugloss.intake.remote import Library

DRIPS = 400  # more than any test waits for; each is one byte


@dataclass
class Hostile:
    """A server on this machine: what it was asked for, and when to give up."""

    port: int = 0
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def address(self, path: str = "", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


class SilentHandler(BaseHTTPRequestHandler):
    """It writes no log, and has two usual answers."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def answer_with(self, content: bytes) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(content)

    def send_to(self, place: str) -> None:
        self.send_response(302)
        self.send_header("Location", place)
        self.end_headers()


def handler(state: Hostile) -> type[BaseHTTPRequestHandler]:
    class Handler(SilentHandler):
        def do_GET(self) -> None:
            state.asked.append((self.path, dict(self.headers.items())))
            number = self.path.rsplit("/", 1)[-1]
            with suppress(OSError):  # the client goes away, as it should
                getattr(self, f"answer_{number}", self.answer_0)()

        def drip(self) -> None:
            for _ in range(DRIPS):
                if state.over.wait(0.02):
                    return
                self.wfile.write(b"x")
                self.wfile.flush()

        def answer_0(self) -> None:
            self.answer_with(b"{}")

        def answer_1(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.drip()

        def answer_2(self) -> None:
            self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
            self.drip()

        def answer_3(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not state.over.is_set():
                self.wfile.write(b" " * 2**20)

        def answer_4(self) -> None:
            self.answer_with(gzip.compress(b" " * 2_000_000))

        def answer_5(self) -> None:
            self.send_to(self.path)

        def answer_6(self) -> None:
            self.send_to("file:///etc/passwd")

        def answer_7(self) -> None:
            self.send_to(state.address("/0", "localhost"))

        def answer_8(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"{}")

    return Handler


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hostile]:
    state = Hostile()
    running = ThreadingHTTPServer(("127.0.0.1", 0), handler(state))
    running.daemon_threads = True
    state.port = running.server_port
    thread = threading.Thread(target=running.serve_forever, args=(0.01,))
    thread.start()
    monkeypatch.setenv("BUGLOSS_GITHUB_URL", state.address())
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    monkeypatch.setattr(remote, "_SECONDS", 0.5)
    monkeypatch.setattr(remote, "MOST_BYTES", 1_000_000)
    yield state
    state.over.set()
    running.shutdown()
    thread.join()
    running.server_close()


@pytest.mark.parametrize(
    ("number", "kind", "sentence"),
    [
        (1, Offline, "did not respond completely within 0.5 s"),
        (2, Offline, "did not respond completely within 0.5 s"),
        (3, Offline, "longer than 1 MB|within 0.5 s"),
        (4, EnvironmentFailure, "longer than 1 MB"),
        (5, Offline, "more than 5 times"),
        (6, Offline, "neither http nor https"),
        (8, Offline, "closed before"),
    ],
    ids=["slow body", "slow headers", "endless", "bomb", "circle", "file", "cut short"],
)
def test_a_hostile_server_ends_in_one_sentence(
    server: Hostile, tmp_path: Path, number: int, kind: type[BuglossError], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence) as caught:
        Library(tmp_path).fetch(f"gh:o/r#{number}")
    assert caught.value.hint
    assert list(tmp_path.iterdir()) == []  # nothing of it is kept


def test_a_token_is_not_sent_unencrypted(server: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUGLOSS_GITHUB_TOKEN", "secret")
    with pytest.raises(EnvironmentFailure):
        Library(tmp_path).fetch("gh:o/r#7")  # redirects to another name of the same machine
    assert [path for path, _ in server.asked] == ["/repos/o/r/issues/7", "/0"]
    assert "secret" not in str(server.asked)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://api.github.com/repositories/1/issues/7", True),
        ("https://api.github.com:443/x", True),
        ("http://api.github.com/x", False),
        ("https://api.github.com:8443/x", False),
        ("https://evil.example/x", False),
        ("https://api.github.com@evil.example/x", False),
        ("https://api.github.com.evil.example/x", False),
    ],
)
def test_a_token_goes_to_its_own_host_only(url: str, told: bool) -> None:
    query = WebQuery("https://api.github.com/repos/o/r/issues/7", {"Accept": "a"}, {"Authorization": "Bearer secret"})
    sent = headers_for(query, url)
    assert sent["Accept"] == "a"
    assert ("Authorization" in sent) is told


def test_a_token_belongs_to_the_address_that_was_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    """GitHub Enterprise: whoever names another server for GitHub has a token of that server."""
    monkeypatch.setenv("BUGLOSS_GITHUB_TOKEN", "secret")
    monkeypatch.setenv("BUGLOSS_GITHUB_URL", "https://git.example/api/v3")
    place = remote._place("gh:o/r#7")
    assert headers_for(WebQuery(place.url, place.headers, place.secrets), place.url)["Authorization"] == "Bearer secret"
    assert "secret" not in str(place.headers)


ADDRESSES = {"public.example": "93.184.216.34", "inner.example": "10.0.0.7", "169.254.169.254": "169.254.169.254"}


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    def known(host: str, port: object) -> list[tuple[object, ...]]:
        if host not in ADDRESSES:
            raise OSError("no such name")
        return [(None, None, None, "", (ADDRESSES[host], 0))]

    monkeypatch.setattr(web.socket, "getaddrinfo", known)


@pytest.mark.parametrize(
    ("current", "target", "sentence"),
    [
        ("https://public.example/a", "http://public.example/a", "unencrypted address"),
        ("http://public.example/a", "http://169.254.169.254/latest/meta-data", "private"),
        ("https://public.example/a", "https://inner.example/", "private"),
        ("https://public.example/a", "ftp://public.example/", "neither"),
        ("https://public.example/a", "file:///etc/passwd", "neither"),
        ("https://public.example/a", "data:,x", "neither"),
    ],
)
def test_some_redirects_are_refused(names: None, current: str, target: str, sentence: str) -> None:
    with pytest.raises(NoAnswer, match=sentence):
        redirected(current, current, target)


def test_other_redirects_are_followed(names: None) -> None:
    assert redirected("https://public.example/a", "https://public.example/a", "/b") == "https://public.example/b"
    inner = "http://inner.example/a"
    assert redirected(inner, inner, "http://inner.example/b") == "http://inner.example/b"


def test_an_address_of_another_kind_is_not_opened() -> None:
    for url in ("file:///etc/passwd", "ftp://localhost/x", "http:///x", "x"):
        with pytest.raises(NoAnswer, match="neither http nor https"):
            fetch(WebQuery(url), 5, 100)
