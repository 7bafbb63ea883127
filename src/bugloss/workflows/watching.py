"""``with bugloss.watch(model, optimizer): …``: watch a stretch of training, then say what was seen."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from bugloss.adapters.watching import Watch, WatchedProgram
from bugloss.core.diagnosis import Diagnosis
from bugloss.record.runs import RunFolder
from bugloss.workflows.run_seal import seal

log = logging.getLogger(__name__)


def watch(*subjects: object, budget: float = 0.05, properties: bool = False) -> Watch:
    """Watches whatever trains inside the ``with`` block; one line at the end says what was found."""
    return Watch(*subjects, budget=budget, properties=properties, tell=tell)


def watch_program(
    *subjects: object, script: Path, folder: Path, runs: Path | None, budget: float = 0.05, properties: bool = False
) -> Watch:
    """Watches what trains in a process that runs another program, such as pytest; nothing is said at the end.

    ``script`` is the file that trains, below ``folder``; the recording goes to ``.bugloss/runs`` in ``runs``.
    """
    program = WatchedProgram(script, folder, runs, seal)
    return Watch(*subjects, budget=budget, properties=properties, tell=lambda folder: None, program=program)


def tell(folder: RunFolder) -> None:
    """Diagnoses the run that ended: one line on standard error, all that was seen on the log."""
    from bugloss.workflows.diagnosis import examine

    diagnosis = examine(folder).diagnosis
    sys.stderr.write(f"bugloss: {in_one_sentence(diagnosis)} (more: bugloss report {folder.id})\n")
    for cause in diagnosis.causes[:3]:
        log.info("bugloss: %s: %s", cause.cause, cause.explanation)
    for symptom in diagnosis.symptoms:
        log.info("bugloss: %s: %s", symptom.name, symptom.message)
    for doubt in diagnosis.doubts:
        log.info("bugloss: %s", doubt)


def in_one_sentence(diagnosis: Diagnosis) -> str:
    """The likeliest cause with its line; without one the first alarm, how it ended, a doubt, or the all-clear."""
    if diagnosis.causes:
        cause = diagnosis.causes[0]
        where = f" ({cause.locations[0].words})" if cause.locations else ""
        return f"{cause.cause}{where}: {cause.explanation.rstrip('.')}"
    if diagnosis.alarms:
        return f"{diagnosis.alarms[0].name}: {diagnosis.alarms[0].message.rstrip('.')}"
    if not diagnosis.ending.finished:
        return f"the training {diagnosis.ending.words}"
    return f"inconclusive: {diagnosis.doubts[0]}" if diagnosis.doubts else "no problem found"
