"""What an edit action is: one file with its explanation, its proof, and the search for what it can edit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from bugloss.core.bounded_text import LONGEST_BLANK
from bugloss.core.report import BlockKind, Reading, Report
from bugloss.core.reproduction import Quote, StandInFor
from bugloss.core.run import RaisedException, Run
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.program.decisions import Decisions
from bugloss.reproduce.program.draft import Draft, LineOrigin


@dataclass(frozen=True, slots=True)
class Proposal:
    """One edit: the program afterwards, why, and the words of the report it rests on."""

    text: str
    why: str
    quotes: tuple[Quote, ...] = ()
    origin: LineOrigin = LineOrigin.OURS  # of the lines that are new
    question: str = ""  # what the reporter could say, so that nothing had to be assumed
    assumes: frozenset[StandInFor] = frozenset()
    base: Draft | None = None  # what was edited, where that is not the whole program
    decisions: Decisions | None = None  # afterwards, where the edit decided something

    def applied_to(self, program: Draft) -> Draft:
        """The program after the edit."""
        edited = (self.base or program).becoming(self.text, self.origin)
        return replace(edited, decisions=self.decisions or program.decisions)


@dataclass(frozen=True, slots=True)
class EditEvidence:
    """What an action may look at besides the program: the report, the environment, and how the last run ended."""

    reading: Reading
    expectation: Expectation
    releases: Mapping[str, str] = field(default_factory=dict)  # torch → 2.13.0
    modules: frozenset[str] = frozenset()  # what can be imported besides the standard library
    run: Run | None = None

    @property
    def failure(self) -> RaisedException | None:
        """The exception that ended the last run."""
        return self.run.exception if self.run is not None else None

    @property
    def body(self) -> str:
        return self.reading.report.body

    @property
    def prose(self) -> str:
        """The body with everything but prose blanked, so that positions hold."""
        kept, at = [], 0
        for block in self.reading.of_kind(BlockKind.PROSE):
            kept += [_blanks(block.start - at), self.body[block.start : block.end]]
            at = block.end
        return "".join([*kept, _blanks(len(self.body) - at)]) if self.reading.blocks else self.body

    def quote(self, start: int, end: int) -> Quote:
        return Quote(self.body[start:end], start, end)


def _blanks(length: int) -> str:
    """What stands for a block that is left out: never more blanks in a row than ``bounded`` lets through."""
    if length <= LONGEST_BLANK:
        return " " * length
    edge = " " * (LONGEST_BLANK // 2)
    return f"{edge}{chr(0) * (length - 2 * len(edge))}{edge}"


@dataclass(frozen=True, slots=True)
class EditExample:
    """A proof: what an action makes of a program, given a report and a failure."""

    before: str
    after: str
    report: str = ""
    reading: Reading | None = None
    expectation: Expectation = field(default_factory=lambda: Expectation(ExpectationKind.UNKNOWN))
    failure: RaisedException | None = None
    releases: Mapping[str, str] = field(default_factory=lambda: {"torch": "2.13.0", "numpy": "2.4.6"})
    modules: frozenset[str] = frozenset({"torch", "numpy"})

    @property
    def as_reading(self) -> Reading:
        return self.reading or Reading(Report("", self.report))


class Action(ABC):
    """Base of all edit actions. The docstring of an action has the headings that the documentation shows:

    *What it does*, *When it applies*, *What it rests on*, *Example*, *Known problems*, *References*.
    ``examples`` are its proof: applied until it proposes nothing more, it must give exactly the text that each says.
    """

    action: ClassVar[EditAction]
    examples: ClassVar[tuple[EditExample, ...]]

    @property
    def name(self) -> str:
        return self.action.value

    @abstractmethod
    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        """Edits that this action can make now, the likeliest first; each is the whole program afterwards."""
