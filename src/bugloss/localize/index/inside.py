"""The definitions of one file, and in which of its functions a term stands.

Kept as three strings: a question has few terms, and making objects of all the others would take most of its time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Definition(NamedTuple):
    """A class or function: its name with those around it, its lines, and for functions how many terms its text has.

    A tuple, as every query makes thousands of them.
    """

    name: str
    is_class: bool
    line: int
    end: int
    length: int


@dataclass(frozen=True, slots=True)
class Inside:
    """``numbers`` has for each of the ``terms`` the definitions that have it and how often, as ``0,3,2,1``."""

    definitions: tuple[Definition, ...] = ()
    terms: str = ""
    numbers: str = ""

    @classmethod
    def of(cls, definitions: Sequence[Definition], counts: Sequence[Mapping[str, int]]) -> Inside:
        """From the terms of each definition."""
        numbers: dict[str, list[str]] = {}
        for at, found in enumerate(counts):
            for term, count in found.items():
                numbers.setdefault(term, []).append(f"{at},{count}")
        return cls(tuple(definitions), " ".join(numbers), " ".join(map(",".join, numbers.values())))

    def shared(self, words: Collection[str]) -> Iterator[tuple[str, list[int]]]:
        """Those of some words that occur in functions, each with numbers of definitions and counts in turn."""
        numbers = dict(zip(self.terms.split(" "), self.numbers.split(" "), strict=True))
        for term in numbers.keys() & words:
            yield term, [int(number) for number in numbers[term].split(",")]
