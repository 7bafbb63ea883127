"""What an evaluation asks: a tool with a name, a version, the tasks it knows, and an answer about a program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from bugloss.evaluate.matrix.cell import EvaluationTask, ToolReply, content_key
from bugloss.evaluate.matrix.predictions import ORIGIN
from bugloss.evaluate.matrix.store import JudgedTool
from bugloss.workflows.benchmark.case import ProgramCase

PROGRAM_TASKS = frozenset({EvaluationTask.DETECT, EvaluationTask.DIAGNOSE})


class BenchTool(ABC):
    """A tool under evaluation. ``ask`` raises ``DoesNotApply`` where the tool is not made for the program."""

    name: str
    title: str = ""
    origin: str = "built-in"
    tasks: ClassVar[frozenset[EvaluationTask]] = PROGRAM_TASKS
    reads_run: ClassVar[bool] = False  # whether it needs the observed run that tools share

    @property
    @abstractmethod
    def version(self) -> str:
        """Changes whenever its answers may."""

    @abstractmethod
    def ask(self, case: ProgramCase) -> ToolReply:
        """What the tool says of a program."""

    @property
    def judged(self) -> JudgedTool:
        return JudgedTool(self.name, self.title, self.version, self.origin)


class GivenAnswers(BenchTool):
    """Programs or patches that a tool has made elsewhere, by bug."""

    origin = ORIGIN

    def __init__(self, name: str, answers: Mapping[str, str]) -> None:
        self.name = name
        self.title = f"{name} (predictions)"
        self.answers = answers

    @property
    def version(self) -> str:
        return content_key(sorted(self.answers.items()))

    def ask(self, case: ProgramCase) -> ToolReply:
        text = self.answers.get(case.entry.id, "")
        return ToolReply(bool(text), text=text)
