"""Small evaluations made by hand: facts about bugs, and cells in one word each."""

from __future__ import annotations

from collections.abc import Mapping

from bugloss.core.bug import Twin
from bugloss.evaluate.matrix.cell import Cell, CellState, ClaimedFault, ClaimedLine, EvaluationTask, ToolReply
from bugloss.evaluate.matrix.grading import Graded, grade
from bugloss.evaluate.matrix.store import EvaluationFile, JudgedTool
from bugloss.evaluate.matrix.truth import REAL, BugFacts

STATES = {"n": CellState.NOT_APPLICABLE, "e": CellState.ENVIRONMENT, "t": CellState.TOOL}


def facts(bug: str, kind: str = REAL, **changed: object) -> BugFacts:
    """A bug whose fix changes line 10 of train.py."""
    known: dict[str, object] = {
        "title": bug, "kind": kind, "source": "stackoverflow", "framework": "torch", "stack": "torch",
        "category": "model", "bug_type": "missing-api-call", "general_type": "api-misuse",
        "symptom": "crash", "violated_property": "correctness", "fix_pattern": "api-contract", "oracle": "exception",
        "digest": "1", "changed": (ClaimedLine("train.py", 10),), "files": ("train.py",),
    }  # fmt: skip
    return BugFacts(bug, **{**known, **changed})  # type: ignore[arg-type]


def cell(tool: str, bug: str, side: Twin, word: str, reply: ToolReply | None = None, seed: int = 0) -> Cell:
    """``a`` is an alarm, ``s`` silence, ``n`` does not apply, ``e`` the machine's fault, ``t`` the tool's."""
    state = STATES.get(word, CellState.ANSWERED)
    return Cell(tool, bug, side, seed, "k", state, reply or ToolReply(alarm=word == "a"), seconds=1.0)


def graded(
    answers: Mapping[str, str], bugs: tuple[BugFacts, ...], task: EvaluationTask = EvaluationTask.DETECT
) -> Graded:
    """Tool → two letters for each bug: the buggy and the fixed program."""
    asked = EvaluationFile(task, tuple(JudgedTool(name, name, "1", "built-in") for name in answers), bugs)
    cells = [
        cell(tool, bug.bug, side, word)
        for tool, words in answers.items()
        for bug, pair in zip(bugs, words.split(), strict=True)
        for side, word in zip(Twin, pair, strict=True)
        if word != "-"
    ]
    return grade(asked, {one.place: one for one in cells})


def fault(name: str = "x", line: int = 0, **labels: str) -> ClaimedFault:
    return ClaimedFault(name, lines=(ClaimedLine("train.py", line),) if line else (), **labels)
