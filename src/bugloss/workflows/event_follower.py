"""Reads the events of a run while they are written."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import open_inside
from bugloss.record.runs import EVENTS, RunFolder

_MOST_BYTES = 8 * 2**20  # that are read at a time


class EventFollower:
    """Passes on each line once it is complete."""

    def __init__(self, folder: RunFolder, heard: Callable[[bytes], None]) -> None:
        self._folder, self._heard = folder, heard
        self._offset = 0
        self._torn = b""

    def look(self) -> None:
        """Reads what is new."""
        try:
            with open_inside(self._folder.path, EVENTS) as lines:
                lines.seek(self._offset)
                new = lines.read(_MOST_BYTES)
        except (FileRefused, OSError):
            return
        self._offset += len(new)
        *whole, torn = (self._torn + new).split(b"\n")
        self._torn = torn[:_MOST_BYTES]
        for line in whole:
            self._heard(line)
