"""``with bugloss.watch(model, optimizer): …``: watch a stretch of training, then say what was seen."""

from __future__ import annotations

import logging

from bugloss.adapters.watching import Watch
from bugloss.record.runs import RunFolder

log = logging.getLogger(__name__)


def watch(*subjects: object, budget: float = 0.05, properties: bool = False) -> Watch:
    """Watches whatever trains inside the ``with`` block; causes and symptoms go to the log and to the run's folder."""
    return Watch(*subjects, budget=budget, properties=properties, tell=tell)


def tell(folder: RunFolder) -> None:
    """Diagnoses the run that ended and logs what was seen, one line each."""
    from bugloss.workflows.diagnosis import examine

    diagnosis = examine(folder).diagnosis
    if not diagnosis.ending.finished:
        log.warning("bugloss: the training %s", diagnosis.ending.words)
    for cause in diagnosis.causes[:3]:
        place = cause.locations[0] if cause.locations else None
        where = f" ({place.words})" if place else ""
        log.warning("bugloss: %s%s: %s", cause.cause, where, cause.explanation)
    for symptom in diagnosis.alarms:
        log.warning("bugloss: %s: %s", symptom.name, symptom.message)
    for doubt in diagnosis.doubts:
        log.warning("bugloss: %s", doubt)
    words = "no problem found; recorded in" if diagnosis.clear else "recorded in"
    log.info("bugloss: %s %s", words, folder.path)
