"""Plain aligned columns: what a listing needs, without loading a terminal library."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bugloss.core.visible import visible
from bugloss.show.cli.terminal import width
from bugloss.show.own_codes import styled


def show_columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints a table; on a terminal the last column is cut to its width and the headings are bold."""
    # Before they are measured; most cells hide nothing, which is quicker to ask than to replace.
    rows = [[cell if cell.isprintable() else visible(cell) for cell in row] for row in rows]
    on_terminal = sys.stdout.isatty()
    columns = width(elsewhere=80) if on_terminal else None
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for number, row in enumerate((headings, *rows)):
        line = "  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip()
        if columns is not None and len(line) > columns:
            line = line[: columns - 1] + "…"
        print(styled(line, "1") if on_terminal and number == 0 else line)
