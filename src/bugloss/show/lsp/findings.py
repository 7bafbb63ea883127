"""Findings as an editor shows them: diagnostics, and the fixes as code actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from bugloss.core.edit import Edit, Span
from bugloss.core.finding import Finding, Safety, Severity

SOURCE = "bugloss"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.ADVICE: types.DiagnosticSeverity.Information,
}


def as_range(span: Span, lines: Sequence[str]) -> types.Range:
    """A stretch of text in the editor's way of counting: lines from 0, columns in UTF-16 units."""
    start = types.Position(span.line - 1, _units(lines, span.line, span.column))
    return types.Range(start, types.Position(span.end_line - 1, _units(lines, span.end_line, span.end_column)))


def _units(lines: Sequence[str], line: int, column: int) -> int:
    before = lines[line - 1][:column] if 0 < line <= len(lines) else ""
    return len(before.encode("utf-16-le")) // 2 + column - len(before)


def as_diagnostic(finding: Finding, lines: Sequence[str]) -> types.Diagnostic:
    """One finding."""
    return types.Diagnostic(
        range=as_range(finding.span, lines),
        message=finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        source=SOURCE,
    )


def code_actions(
    findings: Sequence[Finding], uri: str, path: str, lines: Sequence[str], asked: types.Range
) -> Iterator[types.CodeAction]:
    """The fixes of the findings in the range that the editor asks about; safe ones are preferred."""
    for finding in findings:
        place, fix = as_range(finding.span, lines), finding.fix
        if fix is None or fix.edit is None or not _overlap(place, asked) or fix.edit.paths != (path,):
            continue
        yield types.CodeAction(
            title=f"{SOURCE}: {fix.edit.text}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[as_diagnostic(finding, lines)],
            is_preferred=fix.safety is Safety.SAFE,
            edit=types.WorkspaceEdit(changes={uri: _text_edits(fix.edit, lines)}),
        )


def _text_edits(edit: Edit, lines: Sequence[str]) -> list[types.TextEdit]:
    return [types.TextEdit(as_range(change.span, lines), change.new) for change in dict.fromkeys(edit.changes)]


def _overlap(first: types.Range, second: types.Range) -> bool:
    return first.start.line <= second.end.line and second.start.line <= first.end.line
