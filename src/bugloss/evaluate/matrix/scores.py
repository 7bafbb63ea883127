"""Scores of tools on bugs: shares with Wilson's intervals, means and F1 with bootstrap intervals, by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bugloss.evaluate.matrix.cell import EvaluationTask
from bugloss.evaluate.matrix.marks import marks_of, names_aspect, ranked
from bugloss.evaluate.matrix.outcome import BugOutcome, SideWord
from bugloss.evaluate.matrix.truth import GROUPINGS
from bugloss.evaluate.retrieval import Estimate, bootstrap, estimate
from bugloss.evaluate.share import Share

_NOT_RUN = {SideWord.ENVIRONMENT, SideWord.MISSING}


@dataclass(frozen=True, slots=True)
class ToolScores:
    """One tool on some bugs.

    ``words`` counts how the questions about the buggy programs ended. Shares are of the bugs that the tool applies
    to; *reach* is of all bugs that could be run, so that a tool for few bugs does not look like one for all.
    """

    bugs: int
    words: Mapping[str, int]
    measures: Mapping[str, Share | Estimate]
    median_seconds: float
    total_seconds: float

    @property
    def document(self) -> dict[str, object]:
        return {
            "bugs": self.bugs,
            "words": dict(self.words),
            "measures": {name: measure_document(one) for name, one in self.measures.items()},
            "median_seconds": self.median_seconds,
            "total_seconds": self.total_seconds,
        }


def measure_document(measure: Share | Estimate) -> dict[str, object]:
    """A measure with its interval; a share also says how many of how many."""
    if isinstance(measure, Share):
        return measure.document
    return {"value": measure.value, "interval": (measure.low, measure.high)}


def score_tool(task: EvaluationTask, found: Sequence[BugOutcome]) -> ToolScores:
    """The scores of one tool."""
    sides = [side for one in found for side in (one.buggy, one.fixed) if side.word.counts]
    seconds = [side.seconds for side in sides]
    return ToolScores(
        bugs=len(found),
        words=dict(sorted(Counter(one.buggy.word.value for one in found).items())),
        measures=_measures(task, found),
        median_seconds=round(median(seconds), 2) if seconds else 0.0,
        total_seconds=round(sum(seconds), 1),
    )


def score_by_group(task: EvaluationTask, found: Sequence[BugOutcome]) -> dict[str, dict[str, ToolScores]]:
    """Grouping → label → scores of one tool."""
    groups: dict[str, dict[str, ToolScores]] = {}
    for name, of in GROUPINGS.items():
        members: dict[str, list[BugOutcome]] = {}
        for one in found:
            members.setdefault(of(one.facts), []).append(one)
        groups[name] = {label: score_tool(task, some) for label, some in sorted(members.items())}
    return groups


def _measures(task: EvaluationTask, found: Sequence[BugOutcome]) -> dict[str, Share | Estimate]:
    counted = [one for one in found if one.buggy.word.counts]
    runnable = [one for one in found if one.buggy.word not in _NOT_RUN]
    if task is EvaluationTask.DETECT:
        return _detection(found, counted, runnable)
    marks = marks_of(task)
    if task is EvaluationTask.DIAGNOSE:
        named = {name for name in marks if any(names_aspect(name, one) for one in counted)}
        marks = {name: mark for name, mark in marks.items() if name in named}
    shares: dict[str, Share | Estimate] = {name: _share(counted, mark) for name, mark in marks.items()}
    if task is EvaluationTask.LOCALIZE:
        shares |= _ranking(counted)
    first = next(iter(marks.values()), None)
    return shares | ({"reach": _share(runnable, lambda one: one.buggy.word.counts and first(one))} if first else {})


def _detection(
    found: Sequence[BugOutcome], counted: Sequence[BugOutcome], runnable: Sequence[BugOutcome]
) -> dict[str, Share | Estimate]:
    paired = [one for one in found if one.paired]
    hits, wrong = sum(one.detected for one in paired), sum(one.false_alarm for one in paired)
    return {
        "recall": _share(counted, lambda one: one.detected),
        "precision": Share(hits, hits + wrong),
        "F1": f1_estimate(paired),
        "false alarms": _share([one for one in found if one.fixed.word.counts], lambda one: one.false_alarm),
        "separated": _share(paired, lambda one: one.separated),
        "reach": _share(runnable, lambda one: one.detected),
    }


def _ranking(counted: Sequence[BugOutcome]) -> dict[str, Share | Estimate]:
    hits = [ranked(one) for one in counted]
    return {
        "MAP": estimate([hit.average_precision for hit in hits]),
        "MRR": estimate([hit.reciprocal_rank for hit in hits]),
    }


def f1(found: Sequence[BugOutcome]) -> float:
    """Harmonic mean of precision and recall; 0 without a detection."""
    hits = sum(one.detected for one in found)
    wrong = sum(one.false_alarm for one in found)
    return 2 * hits / (hits + wrong + len(found)) if hits else 0.0


def f1_estimate(found: Sequence[BugOutcome], seed: int = 0) -> Estimate:
    """F1 with a bootstrap interval over bugs: both programs of a bug are drawn together."""
    return bootstrap(found, f1, seed)


def _share(found: Sequence[BugOutcome], holds: Callable[[BugOutcome], bool]) -> Share:
    return Share(sum(map(holds, found)), len(found))
