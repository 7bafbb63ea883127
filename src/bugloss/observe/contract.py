"""What a detector is: one file with its explanation, recordings that must trigger it, and recordings that must not."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.recording import Recording


class Detector(ABC):
    """Base of all detectors. The docstring of a detector has the headings that the documentation shows:

    *What it finds*, *Why it hurts*, *How it decides*, *Known problems*, *References*.
    Each recording in ``faulty`` must trigger the detector, none in ``healthy`` may; besides, every detector is tried on
    recordings of healthy programs that really ran (``tests/observe/healthy``).

    A detector says what it saw, once per layer at the most, at the first step at which it was sure. Relational
    invariants come before thresholds; a threshold is compared with the run's own history where there is one, and must
    be exceeded several times in a row (``persistent``) before anything is said.
    """

    name: ClassVar[str]
    severity: ClassVar[Severity]
    category: ClassVar[Category]
    faulty: ClassVar[tuple[Recording, ...]]
    healthy: ClassVar[tuple[Recording, ...]]

    @abstractmethod
    def detect(self, recording: Recording) -> Iterator[Symptom]:
        """What this detector sees in a recording."""

    def symptom(
        self,
        message: str,
        *,
        step: int | None = None,
        layer: str | None = None,
        site: Site | None = None,
        severity: Severity | None = None,
        **evidence: object,
    ) -> Symptom:
        """A symptom of this detector; the evidence contains the values of the message."""
        known = {name: _plain(value) for name, value in evidence.items() if value is not None}
        return Symptom(self.name, severity or self.severity, message, step, layer, site, known)


def _plain(value: object) -> object:
    """NaN and infinity become strings, as in recordings: JSON does not have them."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
