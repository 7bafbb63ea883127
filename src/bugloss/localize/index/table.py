"""Words, and for each a stretch of one flat array of numbers: small, and quick to write and to read."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_HEAD = struct.Struct("<cIIQ")


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Words in the order of their stretches."""

    places: Mapping[str, int]
    starts: Sequence[int]
    numbers: array[int]

    def get(self, word: str) -> Sequence[int]:
        """The numbers of a word; none where it is unknown."""
        at = self.places.get(word)
        return () if at is None else self.numbers[self.starts[at] : self.starts[at + 1]]

    def count(self, word: str) -> int:
        """How many numbers a word has."""
        at = self.places.get(word)
        return 0 if at is None else self.starts[at + 1] - self.starts[at]

    def to_bytes(self) -> bytes:
        """For keeping."""
        words = "\n".join(self.places).encode()
        starts, numbers = array("I", self.starts).tobytes(), self.numbers.tobytes()
        head = _HEAD.pack(self.numbers.typecode.encode(), len(words), len(starts), len(numbers))
        return head + words + starts + numbers

    @classmethod
    def from_bytes(cls, data: memoryview) -> tuple[NumberTable, int]:
        """A table, and how many bytes it took."""
        code, words_size, starts_size, numbers_size = _HEAD.unpack_from(data)
        at = _HEAD.size
        words = bytes(data[at : at + words_size]).decode().split("\n") if words_size else []
        at += words_size
        starts, numbers = array("I"), array(code.decode())
        starts.frombytes(data[at : at + starts_size])
        at += starts_size
        numbers.frombytes(data[at : at + numbers_size])
        return cls(dict(zip(words, range(len(words)), strict=True)), starts, numbers), at + numbers_size

    @classmethod
    def of(cls, lists: Mapping[str, Sequence[int]], code: str = "I") -> NumberTable:
        """The table of some lists; ``code`` is the type of its numbers as ``array`` names it."""
        starts, numbers = array("I", [0]), array(code)
        for stretch in lists.values():
            numbers.extend(stretch)
            starts.append(len(numbers))
        return cls(dict(zip(lists, range(len(lists)), strict=True)), starts, numbers)


EMPTY = NumberTable.of({})
