"""A line of code with its neighbours and a mark under the place that is meant, and lines before and after an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bugloss.core.text_diff import text_diff

_GUTTER = 9  # columns before the code


@dataclass(frozen=True, slots=True)
class FrameLine:
    """One line of a frame: what stands before the bar, then code or the mark under it."""

    gutter: str
    text: str
    is_mark: bool = False


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A stretch of one line, counted from 1, with columns from 0; without columns the whole line is meant."""

    line: int
    column: int | None = None
    end_column: int | None = None


def code_frame(text: str, place: CodePlace, width: int, number: Callable[[int], int] = int) -> Iterator[FrameLine]:
    """The line with one before and after it; of long lines the part around the place.

    ``number`` says which number a line is shown with: in a notebook lines are counted inside their cell.
    """
    lines = text.split("\n")
    if not 1 <= place.line <= len(lines):
        return
    meant = lines[place.line - 1].rstrip()
    column = len(meant) - len(meant.lstrip()) if place.column is None else place.column
    end = len(meant) if place.end_column is None else place.end_column
    room = max(width - _GUTTER, 20)
    left = max(0, column - room // 2) if column > room - 20 else 0
    for line in range(max(1, place.line - 1), min(len(lines), place.line + 1) + 1):
        if number(line) < 1:  # of another cell
            continue
        yield FrameLine(f"{number(line):6} │", lines[line - 1].rstrip()[left : left + room])
        if line == place.line:
            marks = "^" * max(1, min(end, left + room) - column)
            yield FrameLine("       │", " " * (column - left) + marks, is_mark=True)


def changed_lines(before: str, after: str) -> Iterator[str]:
    """The lines that an edit removes and adds, with - and + before them."""
    for line in text_diff(before, after, "", "").splitlines()[3:]:
        if line.startswith(("+", "-")):
            yield line
