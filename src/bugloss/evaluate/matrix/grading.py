"""From stored cells to the document ``bugloss.evaluation/1``: each kind of bugs apart, pairs of tools tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from bugloss.core.codec import encode
from bugloss.evaluate.matrix.cell import Cell, EvaluationTask, MatrixPlace
from bugloss.evaluate.matrix.marks import Mark, marks_of
from bugloss.evaluate.matrix.outcome import BugOutcome, SideWord, outcomes
from bugloss.evaluate.matrix.scores import ToolScores, score_by_group, score_tool
from bugloss.evaluate.matrix.significance import PairedTest, correct_by_holm, pair_test
from bugloss.evaluate.matrix.store import EvaluationFile
from bugloss.evaluate.matrix.truth import KINDS


@dataclass(frozen=True, slots=True)
class GradedSection:
    """The bugs of one kind: scores of every tool, overall and by group, and every pair of tools."""

    kind: str
    bugs: tuple[str, ...]
    scores: Mapping[str, ToolScores]
    groups: Mapping[str, Mapping[str, Mapping[str, ToolScores]]]  # tool → grouping → label
    pairs: tuple[PairedTest, ...]


@dataclass(frozen=True, slots=True)
class Graded:
    """An evaluation with everything that follows from its cells."""

    asked: EvaluationFile
    outcomes: tuple[BugOutcome, ...]
    sections: tuple[GradedSection, ...]

    @property
    def missing(self) -> int:
        """Programs that were not tried yet."""
        sides = self.asked.task.sides
        return sum(
            side.word is SideWord.MISSING for one in self.outcomes for side in (one.buggy, one.fixed)[: len(sides)]
        )

    @property
    def environment_failures(self) -> int:
        return sum(side.word is SideWord.ENVIRONMENT for one in self.outcomes for side in (one.buggy, one.fixed))


def grade(asked: EvaluationFile, cells: Mapping[MatrixPlace, Cell]) -> Graded:
    """Computes all scores; nothing is run."""
    found = tuple(outcomes(asked, cells))
    kinds = [kind for kind in KINDS if any(bug.kind == kind for bug in asked.bugs)]
    return Graded(asked, found, tuple(_section(kind, asked, found) for kind in kinds))


def _section(kind: str, asked: EvaluationFile, found: Sequence[BugOutcome]) -> GradedSection:
    mine = {
        tool.name: [one for one in found if one.tool == tool.name and one.facts.kind == kind] for tool in asked.tools
    }
    bugs = tuple(bug.bug for bug in asked.bugs if bug.kind == kind)
    scores = {tool: score_tool(asked.task, some) for tool, some in mine.items()}
    groups = {tool: score_by_group(asked.task, some) for tool, some in mine.items()}
    return GradedSection(kind, bugs, scores, groups, pair_tests(asked.task, mine))


def pair_tests(task: EvaluationTask, mine: Mapping[str, Sequence[BugOutcome]]) -> tuple[PairedTest, ...]:
    """Every two tools on the bugs to which both apply, by the first mark of the task and by separation."""
    measures: dict[str, Mark] = dict(list(marks_of(task).items())[:1])
    if task is EvaluationTask.DETECT:
        measures["separated"] = lambda one: one.separated
    tests = [
        pair_test(first, second, name, pairs_of(mine[first], mine[second], mark))
        for name, mark in measures.items()
        for first, second in combinations(mine, 2)
    ]
    return correct_by_holm(tests)


def pairs_of(first: Sequence[BugOutcome], second: Sequence[BugOutcome], mark: Mark) -> list[tuple[bool, bool]]:
    """The marks of the same bugs, where both say something."""
    others = {one.facts.bug: one for one in second if one.buggy.word.counts}
    return [
        (mark(one), mark(others[one.facts.bug])) for one in first if one.buggy.word.counts and one.facts.bug in others
    ]


def document(graded: Graded) -> dict[str, object]:
    """The document ``bugloss.evaluation/1`` of an evaluation over bugs."""
    asked = graded.asked
    return {
        "task": asked.task.value,
        "command": asked.command,
        "version": asked.version,
        "started": asked.started,
        "machine": asked.machine,
        "seeds": list(asked.seeds),
        "settings": asked.settings,
        "bugs": len(asked.bugs),
        "not_run": graded.missing,
        "environment_failures": graded.environment_failures,
        "tools": [encode(tool) for tool in asked.tools],
        "sections": [_section_document(section) for section in graded.sections],
        "matrix": [_row_document(one, asked.task) for one in graded.outcomes],
    }


def _section_document(section: GradedSection) -> dict[str, object]:
    return {
        "kind": section.kind,
        "bugs": list(section.bugs),
        "scores": {tool: one.document for tool, one in section.scores.items()},
        "groups": {
            tool: {name: {label: one.document for label, one in labels.items()} for name, labels in groupings.items()}
            for tool, groupings in section.groups.items()
        },
        "pairs": [encode(pair) for pair in section.pairs],
    }


def _row_document(one: BugOutcome, task: EvaluationTask) -> dict[str, object]:
    marks = marks_of(task) if one.buggy.word.counts else {}
    return {
        "tool": one.tool,
        "bug": one.facts.bug,
        "buggy": one.buggy.word.value,
        "fixed": one.fixed.word.value,
        "marks": {name: mark(one) for name, mark in marks.items()},
        "seconds": {"buggy": one.buggy.seconds, "fixed": one.fixed.seconds},
        "answer": one.buggy.reply.text,
        "answer_on_fixed": one.fixed.reply.text,
        "reason": one.buggy.reason,
    }
