"""Packages that a test makes for itself, so that real builders have something to install without a network."""

from __future__ import annotations

import hashlib
import io
import tarfile
import threading
import zipfile
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

_SOURCE_PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""


def wheel_content(name: str, version: str, files: Mapping[str, str]) -> bytes:
    """A wheel that holds some files."""
    content = io.BytesIO()
    facts = f"{name}-{version}.dist-info"
    about = {
        f"{facts}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{facts}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in (*files, *about, f"{facts}/RECORD"))
    with zipfile.ZipFile(content, "w") as wheel:
        for path, text in {**files, **about, f"{facts}/RECORD": record}.items():
            wheel.writestr(path, text)
    return content.getvalue()


def write_wheel(
    folder: Path, name: str, version: str, module: str = "answer = 42\n", files: Mapping[str, str] | None = None
) -> Path:
    """A wheel with one module that bears the name of the package, and other files."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    path.write_bytes(wheel_content(name, version, {f"{name}.py": module, **(files or {})}))
    return path


def write_wheels(folder: Path, pins: Iterable[str]) -> None:
    """Wheels that hold nothing, for every pin."""
    for pin in pins:
        name, version = pin.split("==")
        plain = name.replace("-", "_")
        (folder / f"{plain}-{version}-py3-none-any.whl").write_bytes(wheel_content(plain, version, {}))


def write_source(folder: Path, name: str, version: str, backend: str) -> str:
    """A source package with a build backend of its own; returns its hash."""
    path = folder / f"{name}-{version}.tar.gz"
    facts = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    content = {"pyproject.toml": _SOURCE_PROJECT, "backend.py": backend, "PKG-INFO": facts}
    with tarfile.open(path, "w:gz") as package:
        for file, text in content.items():
            entry = tarfile.TarInfo(f"{name}-{version}/{file}")
            entry.size = len(text.encode())
            package.addfile(entry, io.BytesIO(text.encode()))
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


class Index(ThreadingHTTPServer):
    """A package index on loopback, of wheels that hold nothing; while ``held`` is set it hands out none."""

    daemon_threads = True
    request_queue_size = 128  # uv asks for everything at once

    def __init__(self, pins: Iterable[str]) -> None:
        super().__init__(("127.0.0.1", 0), IndexPage)
        self.held = threading.Event()
        self.go_on = threading.Event()
        self.asked = threading.Event()
        self.pages: dict[str, bytes] = {}
        for pin in pins:
            name, version = pin.split("==")
            file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
            self.pages[f"/simple/{name}/"] = f'<!DOCTYPE html><a href="/files/{file}">{file}</a>'.encode()
            self.pages[f"/files/{file}"] = wheel_content(name.replace("-", "_"), version, {})

    def start(self) -> None:
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def configure(self, variables: dict[str, str], uv_cache: str) -> None:
        """Makes a command with these variables use this index and no other, and an empty cache for uv."""
        settings = [name for name in variables if name.startswith(("PIP_", "UV_")) or name.lower().endswith("_proxy")]
        for name in settings:
            del variables[name]
        variables.update(PIP_CONFIG_FILE="/dev/null", UV_NO_CONFIG="1", UV_HTTP_RETRIES="0")
        variables.update(UV_DEFAULT_INDEX=self.url, UV_CACHE_DIR=uv_cache)

    def stop(self) -> None:
        self.go_on.set()
        self.shutdown()
        self.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/simple/"


class IndexPage(BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        if self.path.startswith("/files/"):
            self.server.asked.set()
            if self.server.held.is_set():
                self.server.go_on.wait(60)
        self.answer(with_body=True)

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def answer(self, *, with_body: bool) -> None:
        page = self.server.pages.get(self.path)
        try:
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "application/octet-stream")
            self.send_header("Content-Length", str(len(page or b"")))
            self.end_headers()
            if with_body and page:
                self.wfile.write(page)
        except OSError:
            pass  # whoever asked was interrupted

    def log_message(self, format: str, *arguments: object) -> None:
        pass
