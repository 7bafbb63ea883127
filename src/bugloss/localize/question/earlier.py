"""Reports that were fixed before this one was opened, and what they say about its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bugloss.core.term_weights import cosine, weighted
from bugloss.localize.index.lexical import Scores


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
    """Cosine similarity to each earlier report, passed on to the files of its fix."""
    places = {path: at for at, path in enumerate(paths)}
    total, best = [0.0] * len(paths), [0.0] * len(paths)
    which: dict[int, str] = {}
    having = Counter(term for report in reports for term in report.terms)
    asked = weighted(question, having, len(reports))
    for report in reports:
        similarity = cosine(asked, weighted(report.terms, having, len(reports)))
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
    having = Counter(term for report in reports for term in report.terms)
    joined: dict[int, Counter[str]] = {}
    for report in reports:
        for at in {places[path] for path in report.files if path in places}:
            joined.setdefault(at, Counter()).update(report.terms)
    asked, scores = weighted(question, having, len(reports)), [0.0] * len(paths)
    for at, terms in joined.items():
        scores[at] = cosine(asked, weighted(terms, having, len(reports)))
    return scores
