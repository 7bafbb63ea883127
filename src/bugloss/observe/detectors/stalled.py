"""stalled."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Evaluation, Recording
from bugloss.observe.sketch import sketch

_LEAST_STEPS = 10  # a median of fewer steps is not what is usual
_LONG, _VERY_LONG = 20.0, 600.0  # seconds: twenty make a person look, ten minutes look like a hang
_TIMES, _MANY_TIMES = 50.0, 500.0  # the usual step: evaluation and checkpoints take some ten steps, not fifty


class Stalled(Detector):
    """A single step takes far longer than the others.

    ## What it finds
    Steps of more than twenty seconds that took fifty times the usual, without an evaluation in between.

    ## Why it hurts
    Something blocks: a loader that waits for a worker or a disk, a lock, a device that hangs, or a recompilation.

    ## How it decides
    By the time between updates, against their median. The first step, which compiles and starts workers, and steps that
    follow an evaluation or a checkpoint are left out. Ten minutes and five hundred times the usual are a warning.

    ## Known problems
    A computer that was put to sleep looks the same.

    ## References
    SageMaker Debugger, rule "stalled training".
    """

    name = "stalled"
    severity = Severity.ADVICE
    category = Category.NON_DL
    faulty = (
        sketch(steps={"seconds": [0.02] * 55 + [45.0, 0.02]}),
        sketch(steps={"seconds": [0.02] * 55 + [900.0, 0.02]}),
    )
    healthy = (
        sketch(steps={"seconds": [60.0, 0.02]}),
        sketch(steps={"seconds": [0.02] * 55 + [45.0, 0.02]}, evaluations=(Evaluation(55, 900, 9000, 0.4),)),
        sketch(steps={"seconds": [30.0, 40.0, 35.0]}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = [(step.step, step.seconds) for step in recording.steps[1:] if step.seconds is not None]
        if len(known) < _LEAST_STEPS:
            return
        usual = median(seconds for _, seconds in known)
        excused = {item.step for item in recording.evaluations} | {item.step for item in recording.occasions}
        excused |= {epoch.step for epoch in recording.epochs}
        found = [
            (step, seconds)
            for step, seconds in known
            if seconds > max(_LONG, _TIMES * usual) and not excused & {step - 1, step, step + 1}
        ]
        if found:
            step, seconds = max(found, key=lambda pair: pair[1])
            worst = seconds > _VERY_LONG and seconds > _MANY_TIMES * usual
            yield self.symptom(
                f"Step {step} takes {seconds:.0f} seconds; the median is {usual:.2g}.",
                step=step,
                severity=Severity.WARNING if worst else Severity.ADVICE,
                seconds=seconds,
                usual_seconds=usual,
            )
