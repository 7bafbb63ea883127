"""What counts as a success of a tool on a bug, task by task; scores, tests and the matrix are made of these marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bugloss.evaluate.matrix.cell import ClaimedFault, EvaluationTask
from bugloss.evaluate.matrix.outcome import BugOutcome
from bugloss.evaluate.retrieval import ScoredRanking, score_ranking

PLACES = (1, 3)  # a diagnosis is right when one of its first faults is
_FIRST_LINES = 3  # of a fault that count
_FIRST_PATCHES = 5
_LEVELS = {"R3 or better": ("R3", "R4"), "R2 or better": ("R2", "R3", "R4")}

Mark = Callable[[BugOutcome], bool]
Names = Callable[[ClaimedFault], bool]
Right = Callable[[BugOutcome, ClaimedFault], bool]

_ASPECTS: Mapping[str, tuple[Names, Right]] = {
    "line": (
        lambda fault: bool(fault.lines),
        lambda one, fault: any(one.facts.is_changed(place) for place in fault.lines[:_FIRST_LINES]),
    ),
    "category": (lambda fault: bool(fault.category), lambda one, fault: fault.category == one.facts.category),
    "fix pattern": (
        lambda fault: bool(fault.fix_pattern),
        lambda one, fault: fault.fix_pattern == one.facts.fix_pattern,
    ),
}


def marks_of(task: EvaluationTask) -> Mapping[str, Mark]:
    """The marks of a task, the most important first."""
    return _MARKS[task]


def names_aspect(mark: str, one: BugOutcome) -> bool:
    """Whether a tool names what a mark of a diagnosis is about, right or wrong."""
    names = _ASPECTS[mark.partition("@")[0]][0]
    return any(names(fault) for fault in one.faults)


def ranked(one: BugOutcome) -> ScoredRanking:
    """The ranking of a localization, scored by the files that the fix changes."""
    return score_ranking(one.facts.bug, one.buggy.reply.ranking, one.facts.changed_files)


def _right(aspect: str, places: int) -> Mark:
    holds = _ASPECTS[aspect][1]
    return lambda one: any(holds(one, fault) for fault in one.faults[:places])


def _within(k: int) -> Mark:
    return lambda one: ranked(one).within(k)


def _at_level(levels: tuple[str, ...]) -> Mark:
    return lambda one: one.buggy.reply.level in levels


def _plausible(first: int) -> Mark:
    return lambda one: 1 <= one.buggy.reply.plausible <= first


_MARKS: Mapping[EvaluationTask, Mapping[str, Mark]] = {
    EvaluationTask.DETECT: {"detected": lambda one: one.detected},
    EvaluationTask.DIAGNOSE: {f"{aspect}@{places}": _right(aspect, places) for aspect in _ASPECTS for places in PLACES},
    EvaluationTask.LOCALIZE: {f"Top@{k}": _within(k) for k in (1, 5, 10)},
    EvaluationTask.REPRODUCE: {name: _at_level(levels) for name, levels in _LEVELS.items()},
    EvaluationTask.REPAIR: {
        "plausible@5": _plausible(_FIRST_PATCHES),
        "plausible@1": _plausible(1),
        "correct@1": lambda one: one.buggy.reply.correct,
    },
}
