"""What came of trying to reproduce a report: how near the run came, what was edited, what stayed unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from bugloss.core.taxonomy import EditAction


class Level(Enum):
    """How close a run came to what the report states."""

    EXACT = "R4"
    SAME = "R3"
    SIMILAR = "R2"
    RUNS = "R1"
    BROKEN = "R0"

    @property
    def rank(self) -> int:
        """Larger is nearer."""
        return int(self.value[1])

    @property
    def words(self) -> str:
        return {
            "R4": "reproduced exactly",
            "R3": "reproduced: the same failure",
            "R2": "reproduced a failure of the same kind",
            "R1": "not reproduced: the program runs without the failure",
            "R0": "not reproduced: the program does not run",
        }[self.value]


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of the report that something rests on, and where they are in its body."""

    text: str
    start: int
    end: int


class StandInFor(Enum):
    """What a part of ours takes the place of, because the report does not contain it."""

    NETWORK = "network"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class ProgramEdit:
    """A change of a program: as triage advises it, and as a reproduction makes it.

    What was made has the text before and after it, so that it can be undone.
    """

    action: EditAction
    why: str = ""
    code: str = ""  # the lines to write, or those that were written
    needed: bool | None = None  # None: not known
    quotes: tuple[Quote, ...] = ()
    question: str = ""  # what the reporter could say instead
    assumes: frozenset[StandInFor] = frozenset()
    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)
    lines: tuple[int, int] = (0, 0)  # of the program afterwards


@dataclass(frozen=True, slots=True)
class Observed:
    """What the best run showed."""

    kind: str = ""
    exception: str = ""
    message: str = ""
    frame: str = ""
    symptom: str = ""
    figures: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConfirmingRun:
    """One of the runs that confirm: its seed, whether it showed the same, how long it took."""

    seed: int
    outcome: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run on the way."""

    number: int
    edits: tuple[str, ...]
    outcome: str
    level: Level
    seconds: float
    reason: str = ""
