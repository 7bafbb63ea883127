"""How much of a recording is read. A foreign program wrote it: it may be damaged, endless, or made to do harm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from bugloss.core.errors import InvalidInput

MOST_LINES = 1_000_000  # a step has a line of its own; a million of them take about a minute to read
MOST_CHARACTERS = 512 * 2**20  # half a kilobyte for each of the most lines
MOST_VALUES = 20_000_000  # about 1 GB once they are read
LONGEST_LINE = 4 * 2**20  # every layer of a network of ten thousand on one sampled step
DEEPEST = 20  # no event of ours nests deeper than 6
LARGEST = 2**63  # of a whole number: what counts steps, samples or parameters is smaller

_WORDS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


class TooMuch(Exception):
    """The recording holds more values than are read."""


class Meter:
    """Counts what is read of one recording, and what could not be read."""

    def __init__(self) -> None:
        self.unread = 0
        self.cut = ""
        self._values = 0

    def admitted(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines until one of the limits is reached; one that is too long is counted as unread."""
        characters = 0
        for number, line in enumerate(lines):
            characters += len(line)
            if number >= MOST_LINES:
                self.cut = f"only the first {MOST_LINES:,} lines of it were read"
                return
            if characters > MOST_CHARACTERS:
                self.cut = f"only the first {MOST_CHARACTERS // 2**20} MB of it were read"
                return
            if len(line) > LONGEST_LINE:
                self.unread += 1
            else:
                yield line

    def plain(self, value: Any, depth: int = 0) -> Any:
        """The value with words for numbers as numbers; refuses what no probe of ours writes."""
        self._values += 1
        if self._values > MOST_VALUES:
            self.cut = f"only the first {MOST_VALUES:,} values of it were read"
            raise TooMuch
        if isinstance(value, str):
            return _WORDS.get(value, value)
        if isinstance(value, int) and abs(value) >= LARGEST:
            raise InvalidInput("an integer is too large.")
        if not isinstance(value, dict | list):
            return value
        if depth > DEEPEST:
            raise InvalidInput("an event is nested too deeply.")
        if isinstance(value, dict):
            return {key: self.plain(item, depth + 1) for key, item in value.items()}
        return [self.plain(item, depth + 1) for item in value]


def short_lines(stream: TextIO) -> Iterator[str]:
    """The lines of a file; of one that is too long only a beginning is kept, which is still too long to be admitted."""
    skipped = 0
    while (line := stream.readline(LONGEST_LINE + 1)) and skipped <= MOST_CHARACTERS:
        yield line
        while len(line) > LONGEST_LINE and not line.endswith("\n") and skipped <= MOST_CHARACTERS:
            line = stream.readline(LONGEST_LINE + 1)
            skipped += len(line)
