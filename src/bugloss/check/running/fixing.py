"""Applies fixes to a text: changes that do not overlap."""

from __future__ import annotations

from collections.abc import Sequence

from bugloss.core.edit import TextChange, apply_changes
from bugloss.core.finding import Finding, Safety


def apply_fixes(text: str, findings: Sequence[Finding], safety: frozenset[Safety]) -> tuple[str, list[Finding]]:
    """The text with the fixes of these safety levels made, and the findings they belong to.

    Where two fixes overlap the first wins; the other is made when the file is checked again.
    """
    made: list[Finding] = []
    changes: list[TextChange] = []
    for finding in sorted(findings, key=lambda finding: finding.span):
        if finding.fix is None or finding.fix.safety not in safety or finding.fix.edit is None:
            continue
        wanted = finding.fix.edit.changes
        if all(not _overlap(new, old) for new in wanted for old in changes if new != old):
            changes += [change for change in wanted if change not in changes]
            made.append(finding)
    return apply_changes(text, changes), made


def _overlap(first: TextChange, second: TextChange) -> bool:
    a, b = first.span, second.span
    starts_before_end = (a.line, a.column) < (b.end_line, b.end_column)
    ends_after_start = (b.line, b.column) < (a.end_line, a.end_column)
    return (starts_before_end and ends_after_start) or (a.line, a.column) == (b.line, b.column)
