"""Asks every detector about a recording."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from bugloss.core.diagnosis import Symptom
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording

log = logging.getLogger(__name__)

_LAST = 1 << 60


def detect(recording: Recording, detectors: Iterable[Detector]) -> tuple[Symptom, ...]:
    """What the detectors saw, worst first, then in the order it happened; one that fails does not stop the others."""
    symptoms: list[Symptom] = []
    for detector in detectors:
        try:
            symptoms += detector.detect(recording)
        except Exception as error:  # plug-ins are foreign code
            log.warning("the detector %s failed: %s: %s", detector.name, type(error).__name__, error)
    return tuple(
        sorted(symptoms, key=lambda symptom: (-symptom.severity.rank, _LAST if symptom.step is None else symptom.step))
    )
