"""Fixed reports from a file of JSON lines, for techniques that learn from the past."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bugloss.core.json_lines import parse_time, read_lines
from bugloss.core.named_file import read_named_text
from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.question.earlier import EarlierReport
from bugloss.localize.question.query import read_query

_FORM = (
    'Write one JSON object per line: {"title": "…", "body": "…", "files": ["pkg/a.py"], "closed": '
    '"2020-05-17T10:00:00Z"}.'
)


def read_earlier(path: Path) -> tuple[EarlierReport, ...]:
    """The fixed reports of a file."""
    lines = read_named_text(path, errors="replace").splitlines()
    return tuple(read_lines(path, lines, earlier_report, "fixed report", _FORM))


def earlier_report(data: Mapping[str, Any], name: object) -> EarlierReport:
    """One fixed report."""
    report = Report(str(data["title"]), str(data.get("body") or ""))
    files = tuple(str(file) for file in data["files"])
    return EarlierReport(
        str(data.get("id") or name), read_query(take_apart(report)).words, files, parse_time(data["closed"])
    )
