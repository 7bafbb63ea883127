"""Two evaluations of the same task, bug by bug: what a new version of a tool, or another tool, gained and lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bugloss.core.codec import encode
from bugloss.core.errors import InvalidInput
from bugloss.evaluate.matrix.cell import EvaluationTask
from bugloss.evaluate.matrix.grading import Graded, pairs_of
from bugloss.evaluate.matrix.marks import Mark, marks_of
from bugloss.evaluate.matrix.outcome import BugOutcome
from bugloss.evaluate.matrix.significance import PairedSeconds, PairedTest, correct_by_holm, pair_test, seconds_test


@dataclass(frozen=True, slots=True)
class ChangedBug:
    """A bug on which the two differ in a mark."""

    tool: str
    bug: str
    measure: str
    first: bool
    second: bool


@dataclass(frozen=True, slots=True)
class EvaluationComparison:
    """Differences by tool and kind of bug; ``kind`` of a test is real, upstream or synthetic."""

    task: EvaluationTask
    tools: tuple[tuple[str, str], ...]
    tests: tuple[tuple[str, PairedTest], ...]  # kind of bugs, test
    seconds: tuple[tuple[str, PairedSeconds], ...]
    changed: tuple[ChangedBug, ...]
    edited: tuple[str, ...]  # bugs whose content differs, which are left out
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


def compare_evaluations(first: Graded, second: Graded) -> EvaluationComparison:
    """Tools of the same name are compared; where none is in both and each has one, these two."""
    task = first.asked.task
    if second.asked.task is not task:
        raise InvalidInput(f"one evaluation is of {task.value}, the other of {second.asked.task.value}.")
    digests = [{bug.bug: bug.digest for bug in one.asked.bugs} for one in (first, second)]
    shared = set(digests[0]) & set(digests[1])
    edited = tuple(sorted(bug for bug in shared if digests[0][bug] != digests[1][bug]))
    tools = _shared_tools(first, second)
    tests, seconds, changed = [], [], []
    for one, other in tools:
        for section in first.sections:
            mine = _of(first, one, section.kind, shared.difference(edited))
            theirs = _of(second, other, section.kind, shared.difference(edited))
            names = (f"{one} (first)", f"{other} (second)")
            for measure, mark in _measures(task).items():
                tests.append((section.kind, pair_test(*names, measure, pairs_of(mine, theirs, mark))))
                changed += list(_changes(one, measure, mark, mine, theirs))
            seconds.append((section.kind, seconds_test(*names, _seconds(mine, theirs))))
    corrected = correct_by_holm([test for _, test in tests])
    return EvaluationComparison(
        task,
        tools,
        tuple((kind, test) for (kind, _), test in zip(tests, corrected, strict=True)),
        tuple(seconds),
        tuple(changed),
        edited,
        tuple(sorted(set(digests[0]) - shared)),
        tuple(sorted(set(digests[1]) - shared)),
    )


def comparison_document(found: EvaluationComparison) -> dict[str, object]:
    """The document ``bugloss.evaluation-comparison/1``."""
    return {
        "task": found.task.value,
        "tools": [list(pair) for pair in found.tools],
        "tests": [{"kind": kind, **encode(test)} for kind, test in found.tests],
        "seconds": [{"kind": kind, **encode(test)} for kind, test in found.seconds],
        "changed": [encode(one) for one in found.changed],
        "edited": list(found.edited),
        "only_first": list(found.only_first),
        "only_second": list(found.only_second),
    }


def _shared_tools(first: Graded, second: Graded) -> tuple[tuple[str, str], ...]:
    names = [[tool.name for tool in one.asked.tools] for one in (first, second)]
    shared = tuple((name, name) for name in names[0] if name in names[1])
    if shared:
        return shared
    if len(names[0]) == len(names[1]) == 1:
        return ((names[0][0], names[1][0]),)
    hint = f"The first has {', '.join(names[0])}; the second {', '.join(names[1])}."
    raise InvalidInput("the two evaluations have no tool in common.", hint=hint)


def _measures(task: EvaluationTask) -> dict[str, Mark]:
    measures = dict(marks_of(task))
    if task is EvaluationTask.DETECT:
        measures["false alarm"] = lambda one: one.false_alarm
        measures["separated"] = lambda one: one.separated
    return measures


def _of(graded: Graded, tool: str, kind: str, bugs: set[str]) -> list[BugOutcome]:
    return [one for one in graded.outcomes if one.tool == tool and one.facts.kind == kind and one.facts.bug in bugs]


def _changes(
    tool: str, measure: str, mark: Mark, mine: Sequence[BugOutcome], theirs: Sequence[BugOutcome]
) -> list[ChangedBug]:
    others = {one.facts.bug: one for one in theirs if one.buggy.word.counts}
    both = [(one, others[one.facts.bug]) for one in mine if one.buggy.word.counts and one.facts.bug in others]
    marked = [(one.facts.bug, mark(one), mark(other)) for one, other in both]
    return [ChangedBug(tool, bug, measure, was, now) for bug, was, now in marked if was != now]


def _seconds(mine: Sequence[BugOutcome], theirs: Sequence[BugOutcome]) -> list[tuple[float, float]]:
    others = {one.facts.bug: one for one in theirs if one.buggy.word.counts}
    return [
        (one.buggy.seconds, others[one.facts.bug].buggy.seconds)
        for one in mine
        if one.buggy.word.counts and one.facts.bug in others
    ]
