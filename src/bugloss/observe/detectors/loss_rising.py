"""loss-rising."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import LossCurve, curves, may_wander
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.trends import MEDIAN_ERROR, blocks

_PARTS = 10  # tenths of the run are long enough to average noise
_LEAST_STEPS = 20  # two for each tenth at the least
_REAL_FALL = 0.05  # of the first loss: what rises must have fallen before
_REAL_RISE = 0.3  # of the fall: a third of what was learned is lost again
_HINT = 0.15  # of the fall: a seventh is worth a remark
_DIVERGED = 0.5  # of the first loss above the start: that is divergence, which has a name of its own


class RisingLoss(Detector):
    """The training loss falls, then rises until the end.

    ## What it finds
    A run whose lowest tenth is well before its end, and whose loss has risen clearly since.

    ## Why it hurts
    The weights move away from a minimum: the learning rate rises or is too high, an accumulated quantity grows, or the
    data of later epochs are different.

    ## How it decides
    The run is cut into ten parts, each represented by its median. The last three must all be above the lowest by a
    third of the whole fall (advice from 15 %), by 5 % of the first loss, and by four times the noise of a part.

    ## Known problems
    Schedules with warm restarts raise the loss for a while; only a rise that lasts to the end is reported.

    ## References
    Fault catalogue, training dynamics: loss-diverge.
    """

    name = "loss-rising"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(noisy([*falling(2.3, 0.8, 50), *falling(0.8, 2.0, 50)], 0.05)),
        sketch([*falling(2.3, 0.5, 40), *falling(0.5, 1.6, 60)]),
    )
    healthy = (
        sketch(noisy([*falling(2.3, 0.3, 50), *falling(0.3, 0.4, 50)], 0.1)),
        sketch(noisy([*falling(2.3, 0.5, 40), *[1.5] * 20, *falling(0.6, 0.4, 40)], 0.1)),
        sketch(noisy([2.3] * 100, 0.3)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for curve in curves(recording):
            if len(curve.values) < _LEAST_STEPS:
                continue
            levels = blocks(curve.values, _PARTS)
            lowest = min(levels[:-2])
            fall, rise = levels[0] - lowest, min(levels[-3:]) - lowest
            severity = _severity(curve, fall, rise)
            if severity is None:
                continue
            step = curve.steps[len(curve.steps) * (levels.index(lowest) + 1) // len(levels) - 1]
            end = median(levels[-2:])
            yield self.symptom(
                f"The loss falls from {levels[0]:.4g} to {lowest:.4g} until step {step}, then rises to {end:.4g}.",
                step=step,
                severity=Severity.ADVICE if may_wander(recording) else severity,
                first=levels[0],
                lowest=lowest,
                last=end,
            )
            return


def _severity(curve: LossCurve, fall: float, rise: float) -> Severity | None:
    doubt = MEDIAN_ERROR * curve.noise / math.sqrt(len(curve.values) / _PARTS)
    above_start = curve.last > curve.first + _DIVERGED * curve.scale
    if fall < _REAL_FALL * curve.scale or rise < max(4 * doubt, _REAL_FALL * curve.scale) or above_start:
        return None
    if rise >= _REAL_RISE * fall:
        return Severity.WARNING
    return Severity.ADVICE if rise >= _HINT * fall else None
