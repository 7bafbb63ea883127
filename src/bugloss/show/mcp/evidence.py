"""Where the evidence for an answer lies: files below the root that a client can open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_RUN_FILES = {
    "report.html": "page of the run: curves, layers, causes",
    "diagnosis.json": "the whole diagnosis",
    "events.jsonl": "what was recorded",
    "output.txt": "what the program printed",
    "exception.json": "the exception with its frames",
}
_RUNS = Path(".bugloss", "runs")
_REPAIRS = Path(".bugloss", "repairs")


def evidence_of(document: Mapping[str, Any], root: Path) -> list[dict[str, str]]:
    """Files that are there, as paths from the root; without any, an empty list."""
    found = ((what, path) for what, path in _named(document, root) if (root / path).is_file())
    return [{"what": what, "path": path.as_posix()} for what, path in found]


def _named(document: Mapping[str, Any], root: Path) -> Iterator[tuple[str, Path]]:
    run = document.get("run")
    if isinstance(run, str) and run and "/" not in run and not run.startswith("."):
        yield from ((what, _RUNS / run / name) for name, what in _RUN_FILES.items())
    if document.get("schema") == "bugloss.reproduction/1" and isinstance(document.get("script"), str):
        script = Path(document["script"])
        if not script.is_absolute() and ".." not in script.parts:
            yield "the script that shows the bug", script
            yield "the page of the reproduction", script.parent / "index.html"
            yield "all attempts", script.parent / "reproduction.json"
    if document.get("schema") == "bugloss.repair/1":
        latest = max((root / _REPAIRS).glob("*/repair.json"), key=lambda path: path.stat().st_mtime, default=None)
        if latest is not None:
            yield "every patch that was tried", latest.relative_to(root)
