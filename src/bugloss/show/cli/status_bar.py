"""One line at the bottom of the terminal, below whatever the program prints.

The rows above it are made the scrolling region, as package managers do: a program that writes to the same terminal
neither sees the line nor overwrites it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from bugloss.core.visible import visible
from bugloss.show.cli.door import write_codes

_FEWEST_ROWS = 5


class StatusBar:
    """Draws on standard error, where that is a terminal that can; else it does nothing."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._rows = 0

    def show(self, text: str) -> None:
        """Replaces the line."""
        columns, rows = self._size()
        if rows < _FEWEST_ROWS:
            return
        if rows != self._rows:
            self._write(f"\n\x1b7\x1b[1;{rows - 1}r\x1b8\x1b[1A")
            self._rows = rows
        line = visible(text)[: columns - 1]
        self._write(f"\x1b7\x1b[{rows};1H\x1b[2K\x1b[2m{line}\x1b[0m\x1b8")

    def close(self) -> None:
        """Takes the line away and gives the row back."""
        if self._rows:
            self._write(f"\x1b7\x1b[r\x1b[{self._rows};1H\x1b[2K\x1b8")
            self._rows = 0

    def _write(self, codes: str) -> None:
        write_codes(self._stream, codes)
        self._stream.flush()

    def _size(self) -> tuple[int, int]:
        if self._stream.isatty() and os.environ.get("TERM", "dumb") != "dumb":
            with suppress(OSError, ValueError):
                return os.get_terminal_size(self._stream.fileno())
        return 0, 0
