"""What a fault is to the arbiter: a name, advice, and the clues that count for it or against it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Location, Site, Symptom
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.relations import BROKEN
from bugloss.observe.remedies.table import remedies
from bugloss.observe.weights import FROM_CHECK, FROM_RELATION, FaultWeights, weights_of
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
    keras_advice = ""  # what to write in Keras, where that differs

    @property
    def stated_by(self) -> tuple[str, ...]:
        """Symptoms whose message states this fault and names its layer, line or value; the best one first."""
        return ()

    def explain(self, case: Case) -> str:
        """What is wrong in this program, as concretely as it is known."""
        found = (symptom for name in self.stated_by if (symptom := case.saw(name)))
        return next((symptom.message for symptom in found), self.explanation)

    def advise(self, case: Case) -> str:
        """What to write, in the framework of the program."""
        return self.keras_advice if self.keras_advice and case.framework == "keras" else self.advice

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

    def from_relations(self, case: Case) -> Iterator[Symptom]:
        """Relations that a copy of the model breaks because of this fault."""
        relations = self.weights.relations
        return (symptom for symptom in case.all_seen(BROKEN) if symptom.evidence.get("relation") in relations)


def all_clues(fault: Fault, case: Case) -> Iterator[Clue]:
    """Every clue about a fault, findings and broken relations included."""
    yield from fault.clues(case)
    for symptom in fault.from_relations(case):
        yield from seen(symptom, f"{FROM_RELATION}{symptom.evidence['relation']}")
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
