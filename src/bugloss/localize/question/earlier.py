"""Reports that were fixed before this one was opened, and what they say about where it may lie."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bugloss.localize.index.lexical import Scores, rarity


@dataclass(frozen=True, slots=True)
class EarlierReport:
    """A fixed report: its terms, the files of its fix, and when it was fixed (seconds since 1970)."""

    name: str
    terms: Mapping[str, int]
    files: tuple[str, ...]
    fixed_at: int


@dataclass(frozen=True, slots=True)
class Resemblance:
    """How much files were changed for reports like this one."""

    total: Scores  # BugLocator's SimiScore
    best: Scores  # the most similar report of each file
    which: Mapping[int, str]  # its name


def before(reports: Sequence[EarlierReport], moment: int) -> list[EarlierReport]:
    """Only what was fixed when the question was asked."""
    return [report for report in reports if report.fixed_at < moment]


def resemblance(question: Mapping[str, int], reports: Sequence[EarlierReport], paths: Sequence[str]) -> Resemblance:
    """Cosine similarity to each earlier report, handed on to the files of its fix."""
    places = {path: at for at, path in enumerate(paths)}
    total, best = [0.0] * len(paths), [0.0] * len(paths)
    which: dict[int, str] = {}
    having: dict[str, int] = {}
    for report in reports:
        for term in report.terms:
            having[term] = having.get(term, 0) + 1
    asked = _weighted(question, having, len(reports))
    for report in reports:
        similarity = _cosine(asked, _weighted(report.terms, having, len(reports)))
        for path in report.files:
            at = places.get(path)
            if at is None:
                continue
            total[at] += similarity / len(report.files)
            if similarity > best[at]:
                best[at], which[at] = similarity, report.name
    return Resemblance(total, best, which)


def collaborative(question: Mapping[str, int], reports: Sequence[EarlierReport], paths: Sequence[str]) -> Scores:
    """For each file the cosine of the question to all reports together that it was changed for."""
    places = {path: at for at, path in enumerate(paths)}
    having: Counter[str] = Counter(term for report in reports for term in report.terms)
    joined: dict[int, Counter[str]] = {}
    for report in reports:
        for at in {places[path] for path in report.files if path in places}:
            joined.setdefault(at, Counter()).update(report.terms)
    asked, scores = _weighted(question, having, len(reports)), [0.0] * len(paths)
    for at, terms in joined.items():
        scores[at] = _cosine(asked, _weighted(terms, having, len(reports)))
    return scores


def _weighted(terms: Mapping[str, int], having: Mapping[str, int], reports: int) -> dict[str, float]:
    return {
        term: (1 + math.log(count)) * rarity(reports, having[term]) for term, count in terms.items() if term in having
    }


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    small, large = (one, other) if len(one) < len(other) else (other, one)
    product = sum(weight * large[term] for term, weight in small.items() if term in large)
    lengths = math.sqrt(sum(w * w for w in one.values())) * math.sqrt(sum(w * w for w in other.values()))
    return product / lengths if lengths else 0.0
