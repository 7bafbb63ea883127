"""What the cells of one tool and one bug come to, over its seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from statistics import fmean

from bugloss.core.bug import Twin
from bugloss.evaluate.matrix.cell import Cell, CellState, ClaimedFault, MatrixPlace, ToolReply
from bugloss.evaluate.matrix.store import EvaluationFile
from bugloss.evaluate.matrix.truth import BugFacts


class SideWord(Enum):
    """What a tool did with one program. A tool that does not apply has missed nothing."""

    ALARM = "alarm"
    SILENT = "silent"
    NOT_APPLICABLE = "does-not-apply"
    ENVIRONMENT = "environment-failure"
    TOOL = "tool-failure"  # counts as silent
    MISSING = "not-run"

    @property
    def counts(self) -> bool:
        """Whether it says something about the tool."""
        return self in {SideWord.ALARM, SideWord.SILENT, SideWord.TOOL}


_WORDS = {
    CellState.NOT_APPLICABLE: SideWord.NOT_APPLICABLE,
    CellState.ENVIRONMENT: SideWord.ENVIRONMENT,
    CellState.TOOL: SideWord.TOOL,
}


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """One program: an alarm counts when it comes with more than half of the seeds that say something."""

    word: SideWord
    rate: float = 0.0  # share of seeds with an alarm
    seconds: float = 0.0
    reply: ToolReply = field(default_factory=ToolReply)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BugOutcome:
    """One tool and one bug."""

    tool: str
    facts: BugFacts
    buggy: SideOutcome
    fixed: SideOutcome

    @property
    def detected(self) -> bool:
        return self.buggy.word is SideWord.ALARM

    @property
    def false_alarm(self) -> bool:
        return self.fixed.word is SideWord.ALARM

    @property
    def paired(self) -> bool:
        """Whether both programs say something about the tool, as precision needs."""
        return self.buggy.word.counts and self.fixed.word.counts

    @property
    def separated(self) -> bool:
        """An alarm on the buggy program and none on the fixed one."""
        return self.paired and self.detected and not self.false_alarm

    @property
    def faults(self) -> tuple[ClaimedFault, ...]:
        """What the tool says about the buggy program, the likeliest first; empty without an alarm."""
        return self.buggy.reply.faults if self.detected else ()


def outcomes(asked: EvaluationFile, cells: Mapping[MatrixPlace, Cell]) -> list[BugOutcome]:
    """Every tool with every bug, tools and bugs in their order."""
    return [
        BugOutcome(tool.name, bug, *(_side(_of(tool.name, bug.bug, side, asked, cells)) for side in Twin))
        for tool in asked.tools
        for bug in asked.bugs
    ]


def _of(
    tool: str, bug: str, side: Twin, asked: EvaluationFile, cells: Mapping[MatrixPlace, Cell]
) -> Iterable[Cell | None]:
    return [cells.get(MatrixPlace(tool, bug, side, seed)) for seed in asked.seeds]


def _side(cells: Iterable[Cell | None]) -> SideOutcome:
    there = [cell for cell in cells if cell is not None]
    if not there:
        return SideOutcome(SideWord.MISSING)
    counted = [cell for cell in there if cell.counts]
    if not counted:
        first = there[0]
        return SideOutcome(_WORDS[first.state], reason=first.reason)
    return _counted(counted)


def _counted(cells: Sequence[Cell]) -> SideOutcome:
    alarms = [cell for cell in cells if cell.reply.alarm]
    rate = len(alarms) / len(cells)
    word = SideWord.ALARM if rate > 0.5 else SideWord.SILENT
    if word is SideWord.SILENT and all(cell.state is CellState.TOOL for cell in cells):
        word = SideWord.TOOL
    shown = (alarms if word is SideWord.ALARM else cells)[0]
    return SideOutcome(word, rate, round(fmean(cell.total_seconds for cell in cells), 3), shown.reply, shown.reason)
