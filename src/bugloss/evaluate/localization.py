"""The scores of localization methods: overall, in groups, and against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bugloss.evaluate.paired import Comparison, compare
from bugloss.evaluate.retrieval import ScoredRanking, Scores, curve, score_ranking, summarise
from bugloss.evaluate.subjects import RankedReport

Rankings = Mapping[str, Mapping[str, Sequence[str]]]  # method → subject → paths


@dataclass(frozen=True, slots=True)
class MethodScores:
    """One method's scores; the groups of a grouping by name."""

    method: str
    overall: Scores
    groups: Mapping[str, Mapping[str, Scores]]
    curve: tuple[float, ...] = ()  # Top@1, Top@2 and so on


@dataclass(frozen=True, slots=True)
class MethodPair:
    """Two methods on the same reports."""

    first: str
    second: str
    average_precision: Comparison
    reciprocal_rank: Comparison


@dataclass(frozen=True, slots=True)
class LocalizationEvaluation:
    """Everything that follows from predictions and truth."""

    reports: int
    methods: tuple[MethodScores, ...]
    pairs: tuple[MethodPair, ...]


GROUPINGS: Mapping[str, Callable[[RankedReport], str]] = {
    "project": lambda subject: subject.project,
    "names a true file": lambda subject: "yes" if subject.names_a_file else "no",
    "bug type": lambda subject: subject.bug_type,
    "origin": lambda subject: subject.origin,
    "project class": lambda subject: subject.project_class,
    "system": lambda subject: subject.system,
}


def evaluate(subjects: Sequence[RankedReport], rankings: Rankings) -> LocalizationEvaluation:
    """A report for which a method has no ranking counts as not found: a method cannot gain by silence."""
    hits = hits_of(subjects, rankings)
    scores = tuple(_scores(method, subjects, found) for method, found in hits.items())
    best_first = sorted(hits, key=lambda method: -sum(hit.average_precision for hit in hits[method]))
    pairs = tuple(_pair(best_first[0], other, hits) for other in best_first[1:])
    return LocalizationEvaluation(len(subjects), scores, pairs)


def hits_of(subjects: Sequence[RankedReport], rankings: Rankings) -> dict[str, list[ScoredRanking]]:
    """Method by method each subject's ranking, scored."""
    return {
        method: [score_ranking(subject.id, found.get(subject.id, ()), subject.truth) for subject in subjects]
        for method, found in rankings.items()
    }


def _scores(method: str, subjects: Sequence[RankedReport], hits: Sequence[ScoredRanking]) -> MethodScores:
    groups = {}
    for name, of in GROUPINGS.items():
        members: dict[str, list[ScoredRanking]] = {}
        for subject, hit in zip(subjects, hits, strict=True):
            if label := of(subject):
                members.setdefault(label, []).append(hit)
        if members:
            groups[name] = {label: summarise(found) for label, found in sorted(members.items())}
    return MethodScores(method, summarise(hits), groups, curve(hits))


def _pair(first: str, second: str, hits: Mapping[str, Sequence[ScoredRanking]]) -> MethodPair:
    def column(method: str, measure: str) -> list[float]:
        return [getattr(hit, measure) for hit in hits[method]]

    measures = ("average_precision", "reciprocal_rank")
    return MethodPair(first, second, *(compare(column(first, name), column(second, name)) for name in measures))
