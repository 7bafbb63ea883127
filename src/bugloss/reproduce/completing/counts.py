"""Numbers that a report's prose gives: "six classes", "batches of 32", "images of 12 x 12 pixels"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "hundred": 100,
}  # fmt: skip
_NUMBER = rf"(?:\d{{1,7}}(?:,\d{{3}}){{0,3}}|{'|'.join(_WORDS)})"
_BETWEEN = (
    r"different|possible|output|input|hidden|equally|standardi[sz]ed|grey|gray|small|kinds? of|types? of|classes of"
)
_COUNT = re.compile(
    rf"\b(?P<number>{_NUMBER})[\s-](?:(?:{_BETWEEN})[\s-]){{0,2}}(?P<noun>[A-Za-z]{{3,20}})\b", re.IGNORECASE
)
_OF = re.compile(
    r"\b(?P<noun>batch(?:es)?(?:[ _-]size)?|window|sequence|vocabulary|length|epochs?|size)s?"
    rf" (?:of|is|=|:|was) (?:size |length )?(?P<number>{_NUMBER})\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?P<rows>\d{1,5})\s*(?:x|×|by|\*)\s*(?P<columns>\d{1,5})(?:\s*(?:x|×|by|\*)\s*(?P<third>\d{1,4}))?\b"
)
_LENGTH = re.compile(
    r"\b(?:signal|trace|clip|window|recording|series|sequence|text|sentence|question|letter|sound|sample|spectrogram)s?\b"
    rf"[^.\n]{{0,25}}?\b(?:have|has|of|with|are)\s+(?:[^.\n]{{0,20}}?\band\s+)?(?P<number>{_NUMBER})\s+"
    r"(?P<noun>sample|step|point|value|frame|word|token|hour|day|reading|time step)s?\b",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"^(?:epoch|second|minute|hour|day|time|percent|error|line|year|per|and|or|of|in|to|version|thread|core|python)s?$"
)


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
    for pattern in (_OF, _COUNT):
        for found in pattern.finditer(text):
            noun = found["noun"].lower()
            if not _UNIT.match(noun):
                yield Count(singular(noun), _number(found["number"]), found.start(), found.end())


def lengths(text: str) -> Iterator[Count]:
    """How long one sample is: "clips of 64 samples", "a text has 16 words"."""
    for found in _LENGTH.finditer(text):
        number = _number(found["number"])
        if 1 < number <= 5000:
            yield Count(singular(found["noun"].lower()), number, found.start("number"), found.end())


def extents(text: str) -> Iterator[Extent]:
    """Every size such as 12 x 12 or 224x224x3."""
    for found in _BY.finditer(text):
        yield Extent(tuple(int(size) for size in found.groups() if size), found.start(), found.end())


def _number(word: str) -> int:
    return _WORDS.get(word.lower()) or int(word.replace(",", ""))


def singular(noun: str) -> str:
    """The noun without its plural ending, as far as endings tell."""
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
