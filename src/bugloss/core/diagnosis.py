"""What observation says of a program: what was seen, why, where, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from bugloss.core.cause import Cause, Location, SolvedBug
from bugloss.core.finding import Severity

__all__ = ["Cause", "Diagnosis", "Ending", "Location", "Site", "SolvedBug", "Symptom"]


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


class Ending(Enum):
    """How the observed program ended."""

    FINISHED = "finished"
    CRASHED = "crashed"
    TIMED_OUT = "timeout"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Symptoms in the order they were seen, causes from the likeliest down; for a crash, solved bugs that are near."""

    run: str
    outcome: Ending
    symptoms: tuple[Symptom, ...] = ()
    causes: tuple[Cause, ...] = ()
    remarks: tuple[str, ...] = ()
    similar: tuple[SolvedBug, ...] = ()
