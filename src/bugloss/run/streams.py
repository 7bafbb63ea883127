"""What a program prints, read as it comes: long output keeps its head and its tail, and nothing grows with it."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass, field

from bugloss.core.run import Stream

STREAM_CHARACTERS = 40_000
_HEAD = STREAM_CHARACTERS // 4
_TAIL = STREAM_CHARACTERS - _HEAD  # errors stand at the end


@dataclass(slots=True)
class HeadAndTail:
    """The first quarter and the last three of what is kept of a stream."""

    heard: Callable[[bytes], None] = lambda part: None  # gets every part as it comes
    octets: int = 0
    _characters: int = 0
    _head: str = ""
    _tail: str = ""
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace")
    )

    def add(self, part: bytes) -> None:
        """More of the stream."""
        self.octets += len(part)
        self.heard(part)
        self._take(self._decoder.decode(part))

    def stream(self) -> Stream:
        """What is kept, and how much is not."""
        self._take(self._decoder.decode(b"", final=True))
        excess = self._characters - STREAM_CHARACTERS
        if excess <= 0:
            return Stream(self._head + self._tail)
        return Stream(f"{self._head}\n… {excess} characters left out …\n{self._tail}", excess)

    def _take(self, text: str) -> None:
        self._characters += len(text)
        room = _HEAD - len(self._head)
        self._head += text[:room]
        self._tail = (self._tail + text[room:])[-_TAIL:]
