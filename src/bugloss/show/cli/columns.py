"""Plain aligned columns: what a listing needs, without loading a terminal library."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bugloss.core.visible import visible
from bugloss.show.cli.terminal import width
from bugloss.show.own_codes import styled

_GAP = 2  # blanks between columns
_LEAST = 6  # characters of a column that still tell one value from another
_LEAST_OF_LAST = 24  # characters of a title that say what it is about


def show_columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints a table; on a terminal it is cut to its width, and the headings are bold."""
    # Before they are measured; most rows hide nothing, which is quicker to ask than to replace.
    rows = [row if "".join(row).isprintable() else [visible(cell) for cell in row] for row in rows]
    on_terminal = sys.stdout.isatty()
    columns = width(elsewhere=80) if on_terminal else None
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    table = [headings, *rows]
    if columns is not None:
        widths = _narrowed(widths, columns)
        table = [[_cut(cell, size) for cell, size in zip(row, widths, strict=True)] for row in table]
    aligned = "  ".join(f"{{:<{size}}}" for size in widths)
    lines = [aligned.format(*row).rstrip() for row in table]
    if columns is not None:
        lines = [_cut(line, columns) for line in lines]
    if on_terminal:
        lines[0] = styled(lines[0], "1")
    print("\n".join(lines))  # at once: each part that is printed is searched for codes of terminals


def _narrowed(widths: list[int], columns: int) -> list[int]:
    """Columns between the first, which names the row, and the last, which tells most, give way to the last one."""
    sizes, room = list(widths), columns - _GAP * (len(widths) - 1)
    middle = range(1, len(sizes) - 1)
    while middle and sum(sizes[:-1]) + min(sizes[-1], _LEAST_OF_LAST) > room:
        widest = max(middle, key=lambda at: sizes[at])
        if sizes[widest] <= _LEAST:
            break
        sizes[widest] -= 1
    return [*sizes[:-1], widths[-1]]


def _cut(cell: str, size: int) -> str:
    return cell if len(cell) <= size else cell[: size - 1] + "…"
