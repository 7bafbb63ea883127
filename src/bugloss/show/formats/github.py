"""Findings as annotations of GitHub's workflow commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bugloss.core.finding import Finding
from bugloss.show.formats.context import Texts
from bugloss.show.own_codes import own

_LEVELS = {"error": "error", "warning": "warning", "advice": "notice"}
_COMMAND = own("::")


def workflow_commands(findings: Iterable[Finding], texts: Texts) -> Iterator[str]:
    """One line a finding, the worst first: GitHub shows only the first ten of each level."""
    for finding in sorted(findings, key=lambda finding: -finding.severity.rank):
        place = texts.place(finding)
        level = _LEVELS[finding.severity.value]
        path = _escaped_property(finding.path)
        where = f"file={path},line={place['line']},col={place['column']},endLine={place['end_line']}"
        yield f"{_COMMAND}{level} {where},title={_escaped_property(finding.rule)}::{_escaped(finding.message)}"


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
