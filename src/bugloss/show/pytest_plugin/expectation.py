"""What a test expects of its training: the symptoms that fail it, as the marker or the command line names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast

from bugloss.core.diagnosis import Symptom
from bugloss.core.errors import InvalidInput
from bugloss.core.finding import Severity
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.core.suggestion import did_you_mean
from bugloss.observe.contract import Detector

_SEVERITIES = {severity.value: severity for severity in Severity}
_KEYWORDS = ("fail_on", "allow", "budget", "properties")
BUDGET = 1.0  # trainings of tests are short: they may take twice their time, so that every layer is seen


@dataclass(frozen=True, slots=True)
class TrainingExpectation:
    """``required``: a test that asks for it by name must train, otherwise it fails."""

    fail_on: frozenset[str]
    allow: frozenset[str] = frozenset()
    budget: float = BUDGET
    properties: bool = False
    required: bool = False

    def forbids(self, symptom: Symptom) -> bool:
        """Whether the test fails on that symptom: by its name, or by its severity or a lower one."""
        if symptom.name in self.allow:
            return False
        ranks = [_SEVERITIES[name].rank for name in self.fail_on & _SEVERITIES.keys()]
        return symptom.name in self.fail_on or any(symptom.severity.rank >= rank for rank in ranks)

    def needs(self, detector: str) -> bool:
        """Whether a detector that failed leaves the answer open."""
        return detector not in self.allow and (detector in self.fail_on or bool(self.fail_on & _SEVERITIES.keys()))


def from_marker(arguments: tuple[object, ...], keywords: Mapping[str, object]) -> TrainingExpectation:
    """What ``@pytest.mark.bugloss(…)`` says."""
    if arguments:
        raise InvalidInput("the marker bugloss takes no positional arguments.", hint="Write fail_on=[…].")
    for name in keywords:
        if name not in _KEYWORDS:
            raise InvalidInput(f"the marker bugloss has no argument '{name}'.", hint=did_you_mean(name, _KEYWORDS))
    fail_on = _names("fail_on", keywords.get("fail_on", ["error"]))
    if not fail_on:
        raise InvalidInput("fail_on is empty, so the test can never fail.", hint="Name a symptom, or error.")
    budget, properties = keywords.get("budget", BUDGET), keywords.get("properties", False)
    if not isinstance(budget, int | float) or isinstance(budget, bool) or budget < 0:
        raise InvalidInput(f"budget is {budget!r}, not a share of the training time.", hint="Write a number from 0 up.")
    return TrainingExpectation(
        fail_on, _names("allow", keywords.get("allow", [])), float(budget), bool(properties), True
    )


def from_option(names: str) -> TrainingExpectation:
    """What ``--bugloss-fail-on`` says; nothing for ``--bugloss`` alone."""
    return TrainingExpectation(_names("--bugloss-fail-on", [name for name in map(str.strip, names.split(",")) if name]))


def _names(argument: str, given: object) -> frozenset[str]:
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    if not all(isinstance(name, str) for name in names):
        raise InvalidInput(f"{argument} is {given!r}, not a list of names.")
    chosen = frozenset(cast("list[str]", names))
    for name in sorted(chosen - _SEVERITIES.keys()):
        if name not in symptom_names():
            known = [*_SEVERITIES, *symptom_names()]
            hint = did_you_mean(name, known) or "docs/reference/detectors lists the symptoms."
            raise InvalidInput(f"there is no symptom '{name}'.", hint=hint)
    return chosen


@cache
def symptom_names() -> frozenset[str]:
    """Every symptom that an installed detector can report."""
    return frozenset(load(PluginGroup.DETECTOR, Detector))
