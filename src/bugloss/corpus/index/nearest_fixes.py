"""The bugs most similar to one, from the index: labels of all bugs, and of their fixes only what this one shares."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from bugloss.core.term_weights import weighted
from bugloss.corpus.index.sections import CHANGE, CONTEXT, LABELS
from bugloss.corpus.search_hit import SearchHit
from bugloss.corpus.similarity_score import SUPPORTING, reasons, score


@dataclass(frozen=True, slots=True)
class _Other:
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
    for row in rows:
        if row is own:
            continue
        shared = {label: one for label, one, other in zip(LABELS, own[4:], row[4:], strict=True) if one == other}
        none = 0.0 if not any(own[2:4]) or not any(row[2:4]) else None
        change = _cosine(products[CHANGE].get(row[0], 0.0), own[2], row[2], none)
        context = _cosine(products[CONTEXT].get(row[0], 0.0), own[3], row[3], none)
        others.append(_Other(row[0], row[1], score(shared, change, context), shared))
    ordered = sorted(others, key=lambda other: (-other.score, other.id))
    return RankedFixes(index, own[0], tuple(ordered))


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
