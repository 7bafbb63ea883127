"""What a fault is to the arbiter: a name, a remedy, and the clues that count for it or against it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Location, Site, Symptom
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.remedies.table import remedies
from bugloss.observe.weights import FROM_CHECK, FaultWeights, weights_of
from bugloss.source.origins.place import Place


@dataclass(frozen=True, slots=True)
class Clue:
    """What counts for a fault or against it; how much is the row of this name in the fault's weights."""

    name: str
    text: str
    symptom: str = ""
    hint: bool = False  # whether it was seen at advice level only


class Fault(ABC):
    """Base of all faults that the arbiter weighs; findings of ``rules`` count for the fault."""

    name: str
    fix_pattern: FixPattern
    explanation: str
    advice: str

    @property
    def weights(self) -> FaultWeights:
        """What its clues count; a fault of another distribution replaces this."""
        return weights_of(self.name)

    @property
    def rules(self) -> tuple[str, ...]:
        """Rules of check whose findings count for this fault."""
        return self.weights.rules

    @abstractmethod
    def clues(self, case: Case) -> Iterator[Clue]:
        """What counts for this fault and against it in a case, besides findings."""

    @abstractmethod
    def places(self, case: Case) -> Iterator[Location]:
        """Lines to change, the likeliest first."""

    def edits(self, case: Case) -> Iterator[Edit]:
        """Changes that would remove the fault, the likeliest first, besides those that findings carry."""
        return remedies(self.name, case)

    def from_findings(self, case: Case) -> Iterator[Finding]:
        """What a check of the source said about this fault."""
        rules = self.rules
        return (finding for finding in case.findings if finding.rule in rules and finding.severity.rank > 0)


def all_clues(fault: Fault, case: Case) -> Iterator[Clue]:
    """Every clue about a fault, findings included."""
    yield from fault.clues(case)
    for finding in fault.from_findings(case):
        yield Clue(FROM_CHECK + finding.rule, f"check ({finding.rule}): {finding.message}")


def seen(symptom: Symptom | None, name: str = "") -> Iterator[Clue]:
    """A clue from a symptom, where it was seen, named for the symptom unless another name is given."""
    if symptom is not None:
        yield Clue(name or symptom.name, symptom.message, symptom.name, symptom.severity is Severity.ADVICE)


def at_place(place: Place | None, score: float, why: str, layer: str | None = None) -> Iterator[Location]:
    """The line that a value was typed on, where it is known."""
    if place is not None:
        yield Location(place.path, place.line, score, layer, why)


def at_site(site: Site | None, score: float, why: str, layer: str | None = None) -> Iterator[Location]:
    """The line of a call, where it is known."""
    if site is not None:
        yield Location(site.path, site.line, score, layer, why)
