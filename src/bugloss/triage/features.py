"""A report as numbers: what the classifier sees. Training and triage both come through here, so they see the same.

Four groups: words of the whole text, words of the title and pairs of them, tags, and clues: families of words, phrases
and what the code shows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from bugloss.core.report import Report
from bugloss.triage.code_clues import clues
from bugloss.triage.lexicon import family_index

LONGEST = 20_000  # characters that are looked at: what a report is about is at its beginning
_MANY = 4
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+(?:\.\d+)?")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_FIRST_SENTENCE = re.compile(r"^.{0,150}?(?:[.?!](?=\s|[A-Z])|\n|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ReportFeatures:
    """Counts by group; a name is unique within its group."""

    words: Counter[str]
    title: Counter[str]
    tags: Counter[str]
    clues: dict[str, float]


def features(report: Report) -> ReportFeatures:
    """The features of a report."""
    title = (report.title or _first_sentence(report.body)).strip()
    text = report.text[:LONGEST]
    words, title_words = tokens(text), tokens(title)
    return ReportFeatures(
        words=Counter(words),
        title=Counter(title_words) + _pairs(title_words),
        tags=Counter(tag.lower() for tag in report.tags),
        clues=dict(_clues(title, text, words, title_words)),
    )


def _first_sentence(body: str) -> str:
    match = _FIRST_SENTENCE.match(body)
    return match[0] if match else body[:150]


def tokens(text: str) -> list[str]:
    """Words in lower case; every number is ``#``."""
    return ["#" if word[0].isdigit() else word.lower() for word in WORD.findall(text)]


def _pairs(words: list[str]) -> Counter[str]:
    return Counter(f"{first} {second}" for first, second in pairwise(words))


def _clues(title: str, text: str, words: list[str], title_words: list[str]) -> Iterator[tuple[str, float]]:
    for family, count in _families(words, text).items():
        yield f"about:{family}", 1.0
        if count >= _MANY:
            yield f"much:{family}", 1.0
    for family in _families(title_words, title):
        yield f"title:{family}", 1.0
    yield from clues(title, text)


def _families(words: list[str], text: str) -> Counter[str]:
    """How often words and phrases of each family occur."""
    whole, beginnings = family_index()
    found: Counter[str] = Counter()
    triples = (f"{a} {b} {c}" for a, b, c in zip(words, words[1:], words[2:], strict=False))
    counted = Counter([*words, *_parts(text)]) + _pairs(words) + Counter(triples)
    for key in counted.keys() & whole.keys():
        for family in whole[key]:
            found[family] += counted[key]
    known = tuple(beginnings)  # asked all at once first: most words begin like none of them
    for word, count in Counter(words).items():
        if word.startswith(known):
            for beginning in filter(word.startswith, known):
                found.update(dict.fromkeys(beginnings[beginning], count))
    return found


def _parts(text: str) -> Iterable[str]:
    """The parts of names that are written in one: ``CrossEntropyLoss``, ``batch_size``."""
    for name in re.findall(r"(?<![A-Za-z])(?:[A-Za-z]*[a-z][A-Z][A-Za-z]*+|[A-Za-z]++_[A-Za-z_]++)", text):
        for part in _PARTS.findall(name):
            yield part.lower()
