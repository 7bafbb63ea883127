"""Code with syntax colours, and two programs side by side."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import read_bytes
from bugloss.corpus.unified_diff import text_files

if TYPE_CHECKING:
    from markupsafe import Markup

CONTEXT = 5
_LONGEST = 400_000  # characters of a file that is coloured


@dataclass(frozen=True, slots=True)
class Half:
    """One line of one program: its number and its coloured text."""

    number: int
    html: Markup


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A line of both programs: ``kind`` is same, changed, removed, added, or gap where lines are left out."""

    kind: str
    left: Half | None = None
    right: Half | None = None


@dataclass(frozen=True, slots=True)
class DiffFile:
    """A file that differs."""

    name: str
    rows: tuple[DiffRow, ...]
    removed: int
    added: int


@lru_cache(maxsize=256)
def coloured_lines(text: str, name: str) -> tuple[Markup, ...]:
    """The lines of a file as HTML with the classes of Pygments."""
    from markupsafe import Markup, escape
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    if not name.endswith(".py") or len(text) > _LONGEST:
        return tuple(Markup(escape(line)) for line in text.split("\n"))
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    return tuple(Markup(line) for line in highlight(text, lexer, HtmlFormatter(nowrap=True)).split("\n"))


def side_by_side(before: Path, after: Path, *, whole: bool = False) -> tuple[DiffFile, ...]:
    """The files of two folders that differ, line by line; ``whole`` shows them from the first line to the last."""
    names = sorted({*text_files(before), *text_files(after)})
    texts = ((name, _text(before, name), _text(after, name)) for name in names)
    return tuple(_file(name, old, new, whole) for name, old, new in texts if old != new)


def _text(folder: Path, name: str) -> str:
    try:
        return read_bytes(folder, name).decode("utf-8", errors="replace")
    except FileRefused:
        return ""


def _file(name: str, old: str, new: str, whole: bool) -> DiffFile:
    lines = (old.splitlines(), new.splitlines())
    matcher = difflib.SequenceMatcher(None, *lines, autojunk=False)
    groups = [matcher.get_opcodes()] if whole else list(matcher.get_grouped_opcodes(CONTEXT))
    halves = tuple(
        [Half(number, html) for number, html in enumerate(coloured_lines(text, name), start=1)] for text in (old, new)
    )
    rows = tuple(_rows(groups, halves[0], halves[1]))
    removed = sum(row.left is not None for row in rows if row.kind in {"changed", "removed"})
    added = sum(row.right is not None for row in rows if row.kind in {"changed", "added"})
    return DiffFile(name, rows, removed, added)


def _rows(
    groups: Sequence[Sequence[tuple[str, int, int, int, int]]], old: Sequence[Half], new: Sequence[Half]
) -> Iterator[DiffRow]:
    for number, group in enumerate(groups):
        if number:
            yield DiffRow("gap")
        for tag, old_start, old_end, new_start, new_end in group:
            pairs = zip_longest(old[old_start:old_end], new[new_start:new_end])
            for left, right in pairs:
                changed = "changed" if left and right else "removed" if left else "added"
                yield DiffRow("same" if tag == "equal" else changed, left, right)
