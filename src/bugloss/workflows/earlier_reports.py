"""Fixed reports from a file of JSON lines, for techniques that learn from the past."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.core.named_file import read_named_text
from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.question.earlier import EarlierReport
from bugloss.localize.question.query import read_query

_FORM = 'One JSON object a line: {"title": "…", "body": "…", "files": ["pkg/a.py"], "closed": "2020-05-17T10:00:00Z"}.'


def read_earlier(path: Path) -> tuple[EarlierReport, ...]:
    """The fixed reports of a file."""
    return tuple(_reports(path, read_named_text(path, errors="replace").splitlines()))


def _reports(path: Path, lines: list[str]) -> Iterator[EarlierReport]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = parse_json(line)
            yield earlier_report(data, f"{number}")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(f"line {number} of {path} is no fixed report: {error}.", hint=_FORM) from None


def earlier_report(data: Mapping[str, Any], name: str) -> EarlierReport:
    """One fixed report."""
    report = Report(str(data["title"]), str(data.get("body") or ""))
    files = tuple(str(file) for file in data["files"])
    return EarlierReport(
        str(data.get("id") or name), read_query(take_apart(report)).words, files, moment(data["closed"])
    )


def moment(text: str) -> int:
    """Seconds since 1970 of a date or time; one without a zone is taken as UTC."""
    found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
