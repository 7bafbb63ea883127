"""Numbers that a report's prose gives: "six classes", "batches of 32", "images of 12 x 12 pixels"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.reproduce.words import NUMBERS, wording


@dataclass(frozen=True, slots=True)
class Count:
    """A number of things, and where the report says so."""

    noun: str
    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Extent:
    """Two or three numbers with a cross between them."""

    sizes: tuple[int, ...]
    start: int
    end: int


def counts(text: str) -> Iterator[Count]:
    """Every number of things that a text names, nouns in the singular."""
    for name in ("count-of", "count"):
        for found in wording(name).finditer(text):
            noun = found["noun"].lower()
            if not wording("no-count").match(noun):
                yield Count(singular(noun), _number(found["number"]), found.start(), found.end())


def lengths(text: str) -> Iterator[Count]:
    """How long one sample is: "clips of 64 samples", "a text has 16 words"."""
    for found in wording("length").finditer(text):
        number = _number(found["number"])
        if 1 < number <= 5000:
            yield Count(singular(found["noun"].lower()), number, found.start("number"), found.end())


def extents(text: str) -> Iterator[Extent]:
    """Every size such as 12 x 12 or 224x224x3."""
    for found in wording("extent").finditer(text):
        yield Extent(tuple(int(size) for size in found.groups() if size), found.start(), found.end())


def _number(word: str) -> int:
    return NUMBERS.get(word.lower()) or int(word.replace(",", ""))


def singular(noun: str) -> str:
    """The noun without its plural ending, as far as endings show it."""
    for ending, instead in (
        ("classes", "class"),
        ("batches", "batch"),
        ("indices", "index"),
        ("ies", "y"),
        ("ches", "ch"),
    ):
        if noun.endswith(ending):
            return noun[: -len(ending)] + instead
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
