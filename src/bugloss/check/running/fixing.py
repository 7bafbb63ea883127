"""Applies fixes to a text: edits that do not overlap, from the end to the beginning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bugloss.core.finding import Edit, Finding, Safety


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; they must not overlap."""
    starts = _line_starts(text)
    for edit in sorted(set(edits), reverse=True):
        start = _offset(starts, edit.span.line, edit.span.column, text)
        end = _offset(starts, edit.span.end_line, edit.span.end_column, text)
        text = text[:start] + edit.text + text[end:]
    return text


def apply_fixes(text: str, findings: Sequence[Finding], safety: frozenset[Safety]) -> tuple[str, list[Finding]]:
    """The text with the fixes of these safety levels made, and the findings they belong to.

    Where two fixes overlap the first wins; the other is made when the file is checked again.
    """
    made: list[Finding] = []
    edits: list[Edit] = []
    for finding in sorted(findings, key=lambda finding: finding.span):
        if finding.fix is None or finding.fix.safety not in safety or not finding.fix.edits:
            continue
        if all(not _overlap(new, old) for new in finding.fix.edits for old in edits if new != old):
            edits += [edit for edit in finding.fix.edits if edit not in edits]
            made.append(finding)
    return apply_edits(text, edits), made


def _overlap(first: Edit, second: Edit) -> bool:
    a, b = first.span, second.span
    starts_before_end = (a.line, a.column) < (b.end_line, b.end_column)
    ends_after_start = (b.line, b.column) < (a.end_line, a.end_column)
    return (starts_before_end and ends_after_start) or (a.line, a.column) == (b.line, b.column)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _offset(starts: list[int], line: int, column: int, text: str) -> int:
    return min(len(text), starts[min(line, len(starts)) - 1] + column)
