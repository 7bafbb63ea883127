"""Findings for people: one line each, or with the code, the reason and the remedy."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.running.problems import FileProblem
from bugloss.core.finding import Finding
from bugloss.show.formats.context import Texts
from bugloss.show.formats.explanation import code, prose
from bugloss.show.formats.frame import CodePlace, changed_lines, code_frame
from bugloss.show.own_codes import styled

WIDTH = 160  # elsewhere than on a terminal
_READABLE = 107  # prose in longer lines is hard to read
# How an example shows its framework, and how a file does.
_FRAMEWORKS = (
    (re.compile(r"\b(torch|nn|optim|F)\."), re.compile(r"\b(torch|lightning|transformers)\b")),
    (re.compile(r"\b(keras|tf|layers)\."), re.compile(r"\b(keras|tensorflow)\b")),
)
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


def full(finding: Finding, texts: Texts, rule: Rule, paint: Paint, width: int = WIDTH) -> str:
    """The finding with its code, why it hurts and what to write instead."""
    parts = [concise(finding, texts, paint), *finding_frame(finding, texts, paint, width)]
    if isinstance(rule, FileProblem):  # its message says all
        return "\n".join(parts) + "\n"
    parts.append(paint("  why  ", "dim") + _indented(prose(rule, "Why it hurts"), width))
    parts += list(_remedy(finding, texts, paint)) or list(_example(finding, texts, rule, paint, width))
    return "\n".join(parts) + "\n"


def finding_frame(finding: Finding, texts: Texts, paint: Paint, width: int = WIDTH) -> Iterator[str]:
    span = finding.span
    end = span.end_column if span.end_line == span.line else None
    place = CodePlace(span.line, span.column, end)
    for line in code_frame(texts.text(finding.path), place, width, texts.numbers(finding)):
        mark = finding.severity.value if line.is_mark else ""
        yield f"{paint(line.gutter, 'dim')} {paint(line.text, mark) if mark else line.text}"


def _remedy(finding: Finding, texts: Texts, paint: Paint) -> Iterator[str]:
    fix = finding.fix
    if fix is None:
        return
    yield f"{paint('  fix  ', 'dim')}{fix.title} ({fix.safety.value})"
    text = texts.text(finding.path)
    changed = fix.edit.apply(finding.path, text) if fix.edit else text
    for line in changed_lines(text, changed):
        yield "       " + paint(line, "add" if line.startswith("+") else "remove")


def _example(finding: Finding, texts: Texts, rule: Rule, paint: Paint, width: int) -> Iterator[str]:
    """The rule's example, unless it is written for another framework than the file."""
    example, text = code(rule, "Use instead"), texts.text(finding.path)
    needed = [imported for words, imported in _FRAMEWORKS if words.search(example)]
    if not needed or any(imported.search(text) for imported in needed):
        yield paint("  e.g. ", "dim") + _indented(example, width)


def _indented(text: str, width: int) -> str:
    if "\n" in text:
        return textwrap.indent(text, " " * 7).lstrip()
    return textwrap.fill(text, min(width, _READABLE) - 7, subsequent_indent=" " * 7)
