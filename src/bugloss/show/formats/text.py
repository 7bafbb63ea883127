"""Findings for people: one line each, or with the code, the reason and the remedy."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.running.problems import FileProblem
from bugloss.core.finding import Finding
from bugloss.core.text_diff import text_diff
from bugloss.show.formats.context import Texts
from bugloss.show.formats.explanation import code, prose
from bugloss.show.own_codes import styled

_WIDTH = 160
_COLOURS = {"error": "31", "warning": "33", "advice": "36", "bold": "1", "dim": "2", "add": "32", "remove": "31"}


class Paint:
    """ANSI colours on a terminal, nothing elsewhere."""

    def __init__(self, coloured: bool) -> None:
        self.coloured = coloured

    def __call__(self, text: str, style: str) -> str:
        return styled(text, _COLOURS[style]) if self.coloured else text


def concise(finding: Finding, texts: Texts, paint: Paint) -> str:
    """``train.py:41:5: error missing-zero-grad message``."""
    place = texts.place(finding)
    cell = f"cell {place['cell']}:" if "cell" in place else ""
    where = f"{finding.path}:{cell}{place['line']}:{place['column']}"
    severity = paint(finding.severity.value, finding.severity.value)
    return f"{paint(where, 'bold')}: {severity} {finding.rule}: {finding.message}"


def full(finding: Finding, texts: Texts, rule: Rule, paint: Paint) -> str:
    """The finding with its code, why it hurts and what to write instead."""
    parts = [concise(finding, texts, paint), *code_frame(finding, texts, paint)]
    if isinstance(rule, FileProblem):  # its message says all
        return "\n".join(parts) + "\n"
    parts.append(paint("  why  ", "dim") + _indented(prose(rule, "Why it hurts")))
    remedy = list(_remedy(finding, texts, paint))
    parts += remedy or [paint("  e.g. ", "dim") + _indented(code(rule, "Use instead"))]
    return "\n".join(parts) + "\n"


def code_frame(finding: Finding, texts: Texts, paint: Paint) -> Iterator[str]:
    """The line with one before and after it, and a mark under the place; of long lines the part around the place."""
    lines = texts.text(finding.path).split("\n")
    span = finding.span
    left = max(0, span.column - _WIDTH // 2) if span.column > _WIDTH - 20 else 0
    for number in range(max(1, span.line - 1), min(len(lines), span.line + 1) + 1):
        code = lines[number - 1].rstrip()[left : left + _WIDTH]
        yield f"{paint(f'{number:6} │', 'dim')} {code}"
        if number == span.line:
            end = span.end_column if span.end_line == span.line else len(lines[number - 1])
            marks = "^" * max(1, min(end, left + _WIDTH) - span.column)
            yield f"{paint('       │', 'dim')} {' ' * (span.column - left)}{paint(marks, finding.severity.value)}"


def _remedy(finding: Finding, texts: Texts, paint: Paint) -> Iterator[str]:
    fix = finding.fix
    if fix is None:
        return
    yield f"{paint('  fix  ', 'dim')}{fix.title} ({fix.safety.value})"
    text = texts.text(finding.path)
    changed = fix.edit.apply(finding.path, text) if fix.edit else text
    for line in text_diff(text, changed, "", "").splitlines()[3:]:
        if line.startswith(("+", "-")):
            yield "       " + paint(line, "add" if line.startswith("+") else "remove")


def _indented(text: str) -> str:
    if "\n" in text:
        return textwrap.indent(text, " " * 7).lstrip()
    return textwrap.fill(text, 100, subsequent_indent=" " * 7)
