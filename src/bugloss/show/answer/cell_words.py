"""Sentences about a notebook: lines as its reader counts them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bugloss.core.cause import CellPlace

_LINE = re.compile(r"\bline (\d{1,6})\b(?! column)")  # a parser of data counts lines and columns of its own


def in_cells(cells: Sequence[CellPlace]) -> Callable[[str], str]:
    """A function that replaces ``line 9`` by ``cell 3, line 4``; without cells it changes nothing."""

    def reworded(text: str) -> str:
        return _LINE.sub(lambda found: _words(found, cells), text) if cells else text

    return reworded


def _words(found: re.Match[str], cells: Sequence[CellPlace]) -> str:
    line = int(found[1])
    place = cells[line - 1] if 0 < line <= len(cells) else None
    return found[0] if place is None else f"cell {place.number}, line {place.line}"
