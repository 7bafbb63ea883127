"""What observation says of a program: what was seen, why, where, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from bugloss.core.finding import Severity
from bugloss.core.taxonomy import FixPattern


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the user's program: where a layer was made, a function called, an operation run."""

    path: str
    line: int
    function: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Symptom:
    """Something seen to go wrong, with the numbers that show it. It says what happens, not why."""

    name: str
    severity: Severity
    message: str
    step: int | None = None
    layer: str | None = None
    site: Site | None = None
    evidence: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Location:
    """A line that is to be changed, with how much speaks for it."""

    path: str
    line: int
    score: float
    layer: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a program misbehaves: the fault, what speaks for it, and where it lies."""

    cause: str
    fix_pattern: FixPattern
    confidence: float
    explanation: str
    advice: str
    locations: tuple[Location, ...] = ()
    evidence: tuple[str, ...] = ()
    symptoms: tuple[str, ...] = ()
    confirmed: bool = False

    def confirm(self, evidence: str) -> Cause:
        """The same cause after an experiment showed that the change removes the symptom."""
        return replace(self, confirmed=True, confidence=max(self.confidence, 0.95), evidence=(*self.evidence, evidence))


class Ending(Enum):
    """How the observed program ended."""

    FINISHED = "finished"
    CRASHED = "crashed"
    TIMED_OUT = "timeout"


@dataclass(frozen=True, slots=True)
class SolvedBug:
    """A bug of the corpus that failed alike, and how it was mended."""

    bug: str
    title: str
    score: float
    why: tuple[str, ...]
    fix_pattern: str
    diff: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Symptoms in the order they were seen, causes from the likeliest down; for a crash, solved bugs that are near."""

    run: str
    outcome: Ending
    symptoms: tuple[Symptom, ...] = ()
    causes: tuple[Cause, ...] = ()
    remarks: tuple[str, ...] = ()
    similar: tuple[SolvedBug, ...] = ()
