"""What a program prints, as lines that can be shown among ours."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

_CODES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])|\x08")


class PrintedLines:
    """Puts parts together to lines; of a line that was written over, as progress bars do, the last state counts."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""

    def take(self, part: bytes) -> Iterator[str]:
        """The lines that this part completes."""
        *whole, self._begun = (self._begun + self._decoder.decode(part)).split("\n")
        yield from map(_final, whole)

    def rest(self) -> Iterator[str]:
        """What was begun and not ended."""
        if self._begun:
            yield _final(self._begun)
            self._begun = ""


def _final(line: str) -> str:
    """The line as a terminal would leave it: without colours, after the last carriage return."""
    states = [state for state in _CODES.sub("", line).split("\r") if state.strip()]
    return states[-1].rstrip() if states else ""
