"""What a fault is to the arbiter: a name, a remedy, and the clues that speak for it or against it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bugloss.core.diagnosis import Location, Site, Symptom
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.source.origins.place import Place


@dataclass(frozen=True, slots=True)
class Clue:
    """What speaks for a fault (weight above zero) or against it, in log-odds: 3 is strong, 5 all but settles it."""

    weight: float
    text: str
    symptom: str = ""


class Fault(ABC):
    """Base of all faults that the arbiter weighs; findings of the rules of check in ``rules`` speak for the fault."""

    name: str
    fix_pattern: FixPattern
    explanation: str
    advice: str
    rules: Mapping[str, float] = MappingProxyType({})

    @abstractmethod
    def clues(self, case: Case) -> Iterator[Clue]:
        """What speaks for this fault and against it in a case."""

    @abstractmethod
    def places(self, case: Case) -> Iterator[Location]:
        """Lines to change, the likeliest first."""

    def from_findings(self, case: Case) -> Iterator[Finding]:
        """What a check of the source said about this fault."""
        return (finding for finding in case.findings if finding.rule in self.rules and finding.severity.rank > 0)


_HINT = 0.4  # what a symptom at the level of advice weighs, against a warning


def seen(symptom: Symptom | None, weight: float) -> Iterator[Clue]:
    """A clue from a symptom, where it was seen; a mere hint weighs less."""
    if symptom is not None:
        share = _HINT if symptom.severity is Severity.ADVICE else 1.0
        yield Clue(weight * share, symptom.message, symptom.name)


def at_place(place: Place | None, score: float, why: str, layer: str | None = None) -> Iterator[Location]:
    """The line that a value was typed on, where it is known."""
    if place is not None:
        yield Location(place.path, place.line, score, layer, why)


def at_site(site: Site | None, score: float, why: str, layer: str | None = None) -> Iterator[Location]:
    """The line of a call, where it is known."""
    if site is not None:
        yield Location(site.path, site.line, score, layer, why)
