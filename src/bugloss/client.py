"""A thin client of ``bugloss serve``, with the standard library alone: the same verbs, the same documents.

::

    from bugloss.client import Client

    client = Client("http://127.0.0.1:8765")
    client.lookup(text)["matches"]
    client.wait(client.test("torch-0003")["job"])["result"]["grade"]
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

from bugloss.core.documents import parse_json
from bugloss.core.errors import BuglossError, EnvironmentFailure, InvalidInput

Document = dict[str, Any]
_FINAL = frozenset({"done", "failed", "cancelled"})
_LARGEST = 200_000_000


class ServerAnswered(BuglossError):
    """The server refused a request; ``status`` is that of HTTP, ``kind`` that of the error document."""

    kind = "server-answered"  # where the document has none

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        message, hint = str(document.get("message", f"status {status}")), str(document.get("hint", ""))
        super().__init__(message, hint=hint)
        self.status = status
        self.kind = str(document.get("error", "http"))


class Client:
    """One server. Verbs that run something return a job at once; ``wait`` returns it when it has ended."""

    def __init__(self, address: str = "http://127.0.0.1:8765", token: str = "", timeout: float = 60.0) -> None:
        if not address.startswith(("http://", "https://")):
            raise InvalidInput(f"'{address}' is not the address of a server.", hint="Example: http://127.0.0.1:8765")
        self._address = address.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._opener = build_opener(ProxyHandler({})) if "//127.0.0.1" in address else build_opener()

    def health(self) -> Document:
        return self._get("/health")

    def bugs(
        self, where: str = "", text: str = "", cursor: str = "", limit: int = 50, **facets: str | list[str]
    ) -> Document:
        """One page of bugs, with the counts of every facet."""
        return self._get("/bugs", {"where": where, "text": text, "cursor": cursor, "limit": limit, **facets})

    def all_bugs(self, where: str = "", text: str = "", **facets: str | list[str]) -> Iterator[Document]:
        """Every bug of a list, page by page."""
        cursor = ""
        while True:
            page = self.bugs(where, text, cursor, 200, **facets)
            yield from page["bugs"]
            cursor = page["next"] or ""
            if not cursor:
                return

    def bug(self, bug: str) -> Document:
        return self._get(f"/bugs/{quote(bug)}")

    def similar(self, bug: str, limit: int = 5) -> Document:
        return self._get(f"/bugs/{quote(bug)}/similar", {"limit": limit})

    def query(self, fields: str = "id,category,stack", where: str = "") -> Document:
        return self._get("/query", {"fields": fields, "where": where})

    def export(self, bug: str, format: str = "requirements") -> Document:
        return self._get(f"/bugs/{quote(bug)}/export", {"format": format})

    def checkout(self, bug: str, program: str = "buggy") -> bytes:
        """One program with its test, as a zip archive."""
        with self._open("GET", f"/bugs/{quote(bug)}/checkout?program={quote(program)}", None, {}) as response:
            content: bytes = response.read(_LARGEST)
            return content

    def rules(self, name: str = "") -> Document:
        return self._get(f"/rules/{quote(name)}" if name else "/rules")

    def environments(self) -> Document:
        return self._get("/environments")

    def check(self, source: str, **options: Any) -> Document:
        return self._post("/check", {"source": source, **options})

    def triage(self, report: str) -> Document:
        return self._post("/triage", {"report": report})

    def lookup(self, text: str, limit: int = 3) -> Document:
        return self._post("/lookup", {"text": text, "limit": limit})

    def study(self, name: str) -> Document:
        return self._get(f"/studies/{quote(name)}")

    def test(self, bug: str, program: str = "buggy", **options: Any) -> Document:
        return self._post("/test", {"bug": bug, "program": program, **options})

    def verify(self, *bugs: str, **options: Any) -> Document:
        return self._post("/verify", {"bugs": list(bugs), **options})

    def diagnose(self, source: str | None = None, **options: Any) -> Document:
        return self._post("/diagnose", _given(source=source, **options))

    def repair(self, source: str | None = None, **options: Any) -> Document:
        return self._post("/repair", _given(source=source, **options))

    def grist(self, source: str | None = None, **options: Any) -> Document:
        return self._post("/grist", _given(source=source, **options))

    def reproduce(self, report: str | None = None, **options: Any) -> Document:
        return self._post("/reproduce", _given(report=report, **options))

    def investigate(self, report: str | None = None, **options: Any) -> Document:
        """About a report, or about a program: ``source=``."""
        return self._post("/investigate", _given(report=report, **options))

    def localize(self, repository: str, report: str | None = None, **options: Any) -> Document:
        return self._post("/localize", _given(report=report, repository=repository, **options))

    def evaluate(self, *bugs: str, **options: Any) -> Document:
        return self._post("/evaluate", {"bugs": list(bugs), **options})

    def jobs(self, **filters: Any) -> Document:
        return self._get("/jobs", filters)

    def job(self, job: str) -> Document:
        return self._get(f"/jobs/{quote(job)}")

    def cancel(self, job: str) -> Document:
        return self._send("DELETE", f"/jobs/{quote(job)}")

    def wait(self, job: str, seconds: float = 1800.0, pause: float = 0.5) -> Document:
        """The job once it has ended."""
        end = time.monotonic() + seconds
        while True:
            found = self.job(job)
            if found["state"] in _FINAL:
                return found
            if time.monotonic() > end:
                raise EnvironmentFailure(f"the job {job} has not ended after {seconds:g} s.")
            time.sleep(pause)

    def events(self, job: str, after: int = 0) -> Iterator[Document]:
        """What a job says, as it says it; ends with the job."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        with self._open("GET", f"/jobs/{quote(job)}/events", None, headers) as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    yield parse_json(line[6:])

    def files(self, job: str) -> Document:
        """Names and sizes of what a job wrote."""
        return self._get(f"/jobs/{quote(job)}/files")

    def file(self, job: str, path: str) -> bytes:
        """One of these files, such as ``case/repro.py``."""
        with self._open("GET", f"/jobs/{quote(job)}/files/{quote(path)}", None, {}) as response:
            content: bytes = response.read(_LARGEST)
            return content

    def runs(self) -> Document:
        return self._get("/runs")

    def compare(self, first: str, second: str) -> Document:
        """Two runs, each as ``place/run``."""
        return self._get("/comparison", {"first": first, "second": second})

    def submit(self, archive: bytes, note: str = "") -> Document:
        """Offers a new bug: a zip or tar archive of the folder that ``bugloss new`` makes."""
        body, kind = _form({"note": note}, archive)
        with self._open("POST", "/submissions", body, {"Content-Type": kind}) as response:
            document: Document = parse_json(response.read(_LARGEST))
            return document

    def submissions(self, **filters: Any) -> Document:
        return self._get("/submissions", filters)

    def object(self, bug: str, kind: str, reason: str, **options: Any) -> Document:
        """Asks for the removal of a bug, or contests one of its labels."""
        return self._post("/objections", {"bug": bug, "kind": kind, "reason": reason, **options})

    def review(self, subject: str, accept: bool, reason: str, of: str = "submissions") -> Document:
        """Decides on one of the submissions, or of the objections."""
        return self._post(f"/{quote(of)}/{quote(subject)}/review", {"accept": accept, "reason": reason})

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> Document:
        given = {name: value for name, value in (query or {}).items() if value not in ("", None)}
        return self._send("GET", f"{path}?{urlencode(given, doseq=True)}" if given else path)

    def _post(self, path: str, document: Mapping[str, Any]) -> Document:
        return self._send("POST", path, json.dumps(document).encode())

    def _send(self, method: str, path: str, body: bytes | None = None) -> Document:
        with self._open(method, path, body, {"Content-Type": "application/json"} if body else {}) as response:
            document: Document = parse_json(response.read(_LARGEST))
            return document

    def _open(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Any:
        authorization = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        address = f"{self._address}/api/v1{path}"
        request = Request(address, body, {**headers, **authorization}, method=method)
        try:
            return self._opener.open(request, timeout=self._timeout)
        except HTTPError as error:
            with error:
                raise ServerAnswered(error.code, _error_of(error)) from None
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            message = f"{self._address} does not answer: {reason}."
            raise EnvironmentFailure(message, hint="Start it: bugloss serve") from error


def _form(fields: Mapping[str, str], archive: bytes) -> tuple[bytes, str]:
    """A form with an archive, and its content type."""
    boundary = secrets.token_hex(16)
    head = f"--{boundary}\r\nContent-Disposition: form-data; name="
    texts = "".join(f'{head}"{name}"\r\n\r\n{value}\r\n' for name, value in fields.items())
    file = f'{head}"archive"; filename="bug.zip"\r\nContent-Type: application/octet-stream\r\n\r\n'
    body = texts.encode() + file.encode() + archive + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


def _given(**options: Any) -> Document:
    return {name: value for name, value in options.items() if value is not None}


def _error_of(error: HTTPError) -> Mapping[str, Any]:
    try:
        found = parse_json(error.read(1_000_000))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
