"""Asks every detector about a recording."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bugloss.core.diagnosis import Symptom
from bugloss.core.failed_plugin import FailedPlugin, ask_each, log_failure
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording

_LAST = 1 << 60  # the step of a symptom that has none: after all others


def detect(
    recording: Recording, detectors: Iterable[Detector], note: Callable[[FailedPlugin], None] = log_failure
) -> tuple[Symptom, ...]:
    """What the detectors saw, worst first, then in the order it happened; one that fails is noted and passed over."""
    symptoms = ask_each("detector", detectors, lambda detector: _symptoms(detector, recording), note)
    return tuple(
        sorted(symptoms, key=lambda symptom: (-symptom.severity.rank, _LAST if symptom.step is None else symptom.step))
    )


def _symptoms(detector: Detector, recording: Recording) -> list[Symptom]:
    seen = list(detector.detect(recording))
    for symptom in seen:
        if not isinstance(symptom, Symptom):
            raise TypeError(f"{type(symptom).__name__} is not a Symptom")
    return seen
