"""A package index on loopback whose wheels hold nothing: builds are real, take a second, and can be held up."""

from __future__ import annotations

import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

from bugloss.run.stack import load_stack


def empty_wheel(name: str, version: str) -> bytes:
    """A wheel with a name, a version and no content."""
    content = BytesIO()
    facts = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(content, "w") as wheel:
        wheel.writestr(f"{facts}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{facts}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{facts}/RECORD", f"{facts}/METADATA,,\n{facts}/WHEEL,,\n{facts}/RECORD,,\n")
    return content.getvalue()


class Index(ThreadingHTTPServer):
    """A package index on loopback that serves a stack; while ``held`` is set it hands out no wheel."""

    daemon_threads = True
    request_queue_size = 128  # uv asks for everything at once

    def __init__(self, stack: str) -> None:
        super().__init__(("127.0.0.1", 0), IndexPage)
        self.held = threading.Event()
        self.go_on = threading.Event()
        self.asked = threading.Event()
        self.pages: dict[str, bytes] = {}
        for package in load_stack(stack).packages:
            name, version = package.split("==")
            file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
            self.pages[f"/simple/{name}/"] = f'<!DOCTYPE html><a href="/files/{file}">{file}</a>'.encode()
            self.pages[f"/files/{file}"] = empty_wheel(name.replace("-", "_"), version)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/simple/"

    def configure(self, variables: dict[str, str], uv_cache: str) -> None:
        """Makes a command with these variables use this index and no other, and an empty cache for uv."""
        settings = [name for name in variables if name.startswith(("PIP_", "UV_")) or name.lower().endswith("_proxy")]
        for name in settings:
            del variables[name]
        variables.update(PIP_CONFIG_FILE="/dev/null", UV_NO_CONFIG="1", UV_HTTP_RETRIES="0")
        variables.update(UV_DEFAULT_INDEX=self.url, UV_CACHE_DIR=uv_cache)

    def stop(self) -> None:
        """Lets everybody go on and ends."""
        self.go_on.set()
        self.shutdown()
        self.server_close()


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
