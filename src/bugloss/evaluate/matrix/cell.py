"""A cell of the matrix: what one tool answered about one program of one bug, and how that came about.

A cell is known by its content: ``key`` is a digest of the tool's version, the program, its environment and the
settings. A stored cell whose key differs from the one that is wanted is stale, and is made again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import Enum

from bugloss.core.bug import Twin
from bugloss.evaluate.repair import RepairRow


class EvaluationTask(Enum):
    """What a tool is asked to do with a bug."""

    DETECT = "detect"
    DIAGNOSE = "diagnose"
    LOCALIZE = "localize"
    REPRODUCE = "reproduce"
    REPAIR = "repair"

    @property
    def family(self) -> str:
        """Tasks of one family have the same cells: detecting and diagnosing are two gradings of one answer."""
        return "program" if self in {EvaluationTask.DETECT, EvaluationTask.DIAGNOSE} else self.value

    @property
    def sides(self) -> tuple[Twin, ...]:
        """The programs that a tool gets."""
        return (Twin.BUGGY, Twin.FIXED) if self.family == "program" else (Twin.BUGGY,)


class CellState(Enum):
    """How asking the tool ended. Only an answer and a failure of the tool say anything about the tool."""

    ANSWERED = "answered"
    NOT_APPLICABLE = "does-not-apply"
    ENVIRONMENT = "environment-failure"
    TOOL = "tool-failure"


@dataclass(frozen=True, slots=True)
class ClaimedLine:
    """A line that a tool names; the path is relative to the program's folder."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class ClaimedFault:
    """One fault that a tool names: labels where it gives them, and lines, the likeliest first."""

    name: str
    category: str = ""
    fix_pattern: str = ""
    lines: tuple[ClaimedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolReply:
    """What the tool said, before any grading; of each task only the fields that it asks for are filled."""

    alarm: bool = False
    faults: tuple[ClaimedFault, ...] = ()
    text: str = ""  # the answer in a few words
    ranking: tuple[str, ...] = ()  # localize: files, the likeliest first
    level: str = ""  # reproduce: R0 to R4
    agrees: bool | None = None  # reproduce: whether what was seen is what the bug's oracle asks for
    plausible: int = 0  # repair: place of the first patch with which the bug's test passes, 0 without one
    correct: bool = False  # repair: the first patch also passes with another seed and adds no fault
    repair: RepairRow | None = None  # repair: the whole answer of a tool of ours


@dataclass(frozen=True, slots=True)
class MatrixPlace:
    """Where a cell belongs: tool, bug, program, seed."""

    tool: str
    bug: str
    side: Twin
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """What is stored of one question to one tool. ``run_seconds`` is the program's own run, where one was needed."""

    tool: str
    bug: str
    side: Twin
    seed: int
    key: str
    state: CellState
    reply: ToolReply = field(default_factory=ToolReply)
    reason: str = ""  # why there is no answer
    seconds: float = 0.0
    run_seconds: float = 0.0

    @property
    def place(self) -> MatrixPlace:
        return MatrixPlace(self.tool, self.bug, self.side, self.seed)

    @property
    def counts(self) -> bool:
        """Whether the cell says something about the tool: a tool that fails has given no alarm."""
        return self.state in {CellState.ANSWERED, CellState.TOOL}

    @property
    def total_seconds(self) -> float:
        return round(self.seconds + self.run_seconds, 3)


def content_key(*parts: object) -> str:
    """A short digest of everything that an answer depends on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:24]
