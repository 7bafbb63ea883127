"""The bugs most similar to one, from the index: labels of all bugs, and of their fixes only what this one shares."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from bugloss.core.term_weights import weighted
from bugloss.corpus.index.sections import CHANGE, CONTEXT, LABELS
from bugloss.corpus.search_hit import SearchHit
from bugloss.corpus.similarity_score import SUPPORTING, reasons, score


class _Other(NamedTuple):  # of which there are thousands
    """Another bug, and how similar it is."""

    number: int
    id: str
    score: float
    shared: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RankedFixes:
    """All bugs of an index beside one of them, the most similar first."""

    index: sqlite3.Connection
    number: int
    others: tuple[_Other, ...]

    @property
    def support(self) -> int:
        return 1 + sum(other.score >= SUPPORTING for other in self.others)

    def nearest(self, limit: int) -> list[SearchHit]:
        return [self._hit(other) for other in self.others[:limit]]

    def _hit(self, other: _Other) -> SearchHit:
        common = self.index.execute(
            "SELECT mine.part, (SELECT count(*) FROM parts WHERE part = mine.part) FROM parts AS mine"
            " JOIN parts AS theirs ON theirs.part = mine.part AND theirs.number = ? AND theirs.side = mine.side"
            " WHERE mine.number = ? AND mine.side = ?",
            (other.number, self.number, CHANGE),
        ).fetchall()
        (title,) = self.index.execute("SELECT title FROM bugs WHERE number = ?", (other.number,)).fetchone()
        return SearchHit(other.id, round(other.score, 3), ", ".join(reasons(other.shared, dict(common))), title)


def every_similarity(index: sqlite3.Connection, bug: str) -> RankedFixes:
    """Compares a bug of the index with all others; ``ValueError`` where it is not there or broken."""
    columns = ", ".join(("number", "id", CHANGE, CONTEXT, *LABELS))
    rows = index.execute(f"SELECT {columns} FROM fixes NATURAL JOIN bugs").fetchall()
    own = next((row for row in rows if row[1] == bug), None)
    if own is None:
        raise ValueError(bug)
    products = {side: _products(index, own[0], side, len(rows)) for side in (CHANGE, CONTEXT)}
    others = []
    shared_with = lru_cache(maxsize=None)(
        partial(_shared, own[4:])
    )  # thousands of bugs have few combinations of labels
    scored = lru_cache(maxsize=None)(lambda labels, change, context: score(shared_with(labels), change, context))
    for number, name, *lengths in rows:
        if number == own[0]:
            continue
        has_change, has_context, labels = lengths[0], lengths[1], tuple(lengths[2:])
        none = 0.0 if not any(own[2:4]) or not (has_change or has_context) else None
        change = _cosine(products[CHANGE].get(number, 0.0), own[2], has_change, none)
        context = _cosine(products[CONTEXT].get(number, 0.0), own[3], has_context, none)
        others.append((-scored(labels, change, context), name, number, labels))
    others.sort()
    found = tuple(_Other(number, name, -rank, shared_with(labels)) for rank, name, number, labels in others)
    return RankedFixes(index, own[0], found)


def _shared(mine: tuple[str, ...], theirs: tuple[str, ...]) -> dict[str, str]:
    """The labels that both bugs have."""
    return {label: one for label, one, other in zip(LABELS, mine, theirs, strict=True) if one == other}


def _products(index: sqlite3.Connection, number: int, side: str, bugs: int) -> dict[int, float]:
    """The scalar products of this bug's vector with those of all bugs that share a part."""
    counts = dict(index.execute("SELECT part, count FROM parts WHERE number = ? AND side = ?", (number, side)))
    having = {
        part: index.execute("SELECT count(*) FROM parts WHERE part = ?", (part,)).fetchone()[0] for part in counts
    }
    found: dict[int, float] = defaultdict(float)
    for part, weight in weighted(counts, having, bugs).items():
        postings = index.execute("SELECT number, count FROM parts WHERE part = ? AND side = ?", (part, side))
        worth: dict[int, float] = {}
        for other, count in postings:
            if count not in worth:
                worth[count] = weight * weighted({part: count}, having, bugs)[part]
            found[other] += worth[count]
    return found


def _cosine(product: float, one: float, other: float, none: float | None) -> float | None:
    """``none`` where neither has anything to compare: 0 where the fix of one bug has no known shape."""
    if not one and not other:
        return none
    return product / (one * other) if one and other else 0.0
