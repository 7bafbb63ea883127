"""What came of trying to reproduce a report: how near the run came, what was edited, what stayed unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from bugloss.core.taxonomy import EditAction


class Level(Enum):
    """How near a run came to what the report tells."""

    EXACT = "R4"
    SAME = "R3"
    KIN = "R2"
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
    """Words of the report that something rests on, and where they stand in its body."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LoggedEdit:
    """One change to the program, with the text before and after it, so that it can be undone."""

    action: EditAction
    why: str
    before: str = field(repr=False)
    after: str = field(repr=False)
    lines: tuple[int, int] = (0, 0)  # of the program afterwards
    quotes: tuple[Quote, ...] = ()
    needed: bool | None = None  # None: not tried without it
    question: str = ""  # what the reporter could tell instead
    assumes_network: bool = False  # a network of ours stands in for the reporter's


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
