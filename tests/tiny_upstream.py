"""A public repository that a test makes for itself, with a bug, its fix, and a mirror; and a server that clones from it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tiny_corpus import FACTS, REPORT, TinyCorpus, toml
from tiny_repository import TinyRepository

ADDRESS = "https://example.org/somebody/tinylib"
BROKEN = "def last(items):\n    return items[len(items)]\n"
HEALTHY = "def last(items):\n    return items[len(items) - 1]\n"
USE = "import tinylib\n\n\ndef main():\n    return tinylib.last([1, 2, 3])\n"
TEST = '"""Healthy: the last item is found."""\n\nimport oracle\nimport use_it\n\noracle.survives(use_it.main)\n'


@dataclass(frozen=True)
class TinyUpstream:
    """The repository and the two commits."""

    mirror: Path
    repository: TinyRepository
    before: str
    fix: str


def make_upstream(mirror: Path) -> TinyUpstream:
    """A library in ``src/`` whose fix also changes its tests, its version and its list of changes."""
    repository = TinyRepository.at(mirror / "somebody" / "tinylib")
    before = repository.commit(
        {
            "src/tinylib/__init__.py": BROKEN,
            "src/tinylib/data.bin": "\0\1",
            "setup.py": "version = 1\n",
            "LICENSE": "Use it as you like.\n",
            "tests/test_last.py": "\n",
        }
    )
    fix = repository.commit(
        {
            "src/tinylib/__init__.py": HEALTHY,
            "src/tinylib/test_last.py": "import tinylib\n",
            "setup.py": "version = 2\n",
            "CHANGES": "The last item is found.\n",
        },
        "Find the last item",
    )
    repository.commit({"src/tinylib/__init__.py": HEALTHY + "# later\n"})
    return TinyUpstream(mirror, repository, before, fix)


def add_upstream_bug(corpus: TinyCorpus, upstream: TinyUpstream, bug: str = "up-0001", **facts: Any) -> Path:
    """The bug of that repository in a corpus; ``facts`` replace keys of its section. Returns its folder."""
    section = {
        "repository": ADDRESS,
        "before": upstream.before,
        "fix": upstream.fix,
        "licence": "MIT",
        "sources": ["src/tinylib"],
        "root": "src",
        **facts,
    }
    oracle = {
        "kind": "exception",
        "exception": "IndexError",
        "message": "list index out of range",
        "raised_in": "last",
    }
    folder = corpus.root / "upstream" / bug
    content = {
        "bug.toml": toml({"id": bug, **FACTS, "entry": "use_it.py", "oracle": oracle, "upstream": section}),
        "report.md": REPORT,
        "program/use_it.py": USE,
        "test.py": TEST,
    }
    for name, text in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@contextmanager
def served(repository: Path) -> Iterator[str]:
    """The address of a server on this machine that answers fetches from a repository as public servers do."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            banner = b"001e# service=git-upload-pack\n0000"
            self._answer("advertisement", banner + self._upload_pack(b"", "--http-backend-info-refs"))

        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                import gzip

                asked = gzip.decompress(asked)
            self._answer("result", self._upload_pack(asked))

        def _upload_pack(self, asked: bytes, *options: str) -> bytes:
            settings = ("-c", "uploadpack.allowAnySHA1InWant=true")
            command = ["git", *settings, "upload-pack", "--stateless-rpc", *options, str(repository)]
            return subprocess.run(command, input=asked, capture_output=True, check=False).stdout

        def _answer(self, what: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"application/x-git-upload-pack-{what}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/somebody/tinylib"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
