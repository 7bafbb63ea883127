"""long-past-best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.trends import TINY, noise
from bugloss.observe.validation import Checkpoint, checkpoints

_LEAST_EPOCHS = 8  # in fewer epochs the best one may be early by chance
# Of the run: a best epoch in the first half is early, in the first third much too early.
_LATE_PART, _LONG_PART = 0.5, 0.35
# Above the best loss: 5 % is beyond the noise of usual validation sets, 30 % is visible in any curve.
_WORSE, _MUCH_WORSE = 0.05, 0.3
_LEAST_LOST = 0.03  # of accuracy: three points are more than validation sets of a few hundred samples vary by


class LongPastBest(Detector):
    """Training continues long after the best validation loss.

    ## What it finds
    Runs whose best validation loss is in the first half, and whose last one is worse.

    ## Why it hurts
    More than half of the time makes the model worse, and the last weights are not the best ones.

    ## How it decides
    The best epoch is in the first half of at least eight, and the median of the last three is 5 % above the best and
    above twice the noise: advice. A warning when the best epoch is in the first third, the loss has risen by 30 %
    since, and the validation accuracy, where known, has lost three points.

    ## Known problems
    A program that saves the best weights only loses time.

    ## References
    Fault catalogue, training dynamics: epochs-few / many.
    """

    name = "long-past-best"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(validation=[1.5, 1.0, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8, 1.9, 2.0]),
        sketch(validation=[1.5, 1.2, 1.0, 0.98, 1.0, 1.02, 1.04, 1.06, 1.08, 1.1]),
    )
    healthy = (
        sketch(validation=[1.5, 1.0, 0.8, 0.7, 0.65, 0.6, 0.58, 0.57, 0.58, 0.6]),
        sketch(validation=[1.5, 1.0, 0.90, 0.92, 0.91, 0.93, 0.91, 0.92, 0.93, 0.91]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        points = [point for point in checkpoints(recording) if _finite(point.validation_loss)]
        values = [point.validation_loss or 0.0 for point in points]
        if len(values) < _LEAST_EPOCHS:
            return
        at, end = values.index(min(values)), median(values[-3:])
        worse = (end - values[at]) / max(abs(values[at]), TINY)
        if at >= _LATE_PART * len(values) or worse < _WORSE or end - values[at] < 2 * noise(values[len(values) // 2 :]):
            return
        alarming = at < _LONG_PART * len(values) and worse >= _MUCH_WORSE and _lost_accuracy(points)
        yield self.symptom(
            f"Validation is best in epoch {points[at].epoch} ({values[at]:.3g}), but training continues to epoch "
            f"{points[-1].epoch} ({values[-1]:.3g}).",
            step=points[at].step,
            severity=Severity.WARNING if alarming else Severity.ADVICE,
            best_epoch=points[at].epoch,
            epochs=points[-1].epoch,
            best=values[at],
            last=values[-1],
        )


def _lost_accuracy(points: list[Checkpoint]) -> bool:
    known = [point.validation_accuracy for point in points if _finite(point.validation_accuracy)]
    values = [value for value in known if value is not None]
    return not values or max(values) - median(values[-3:]) >= _LEAST_LOST


def _finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)
