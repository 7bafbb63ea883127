"""loss-spike."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import LossCurve, curves, may_wander
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.trends import robust_deviation

_WINDOW = 20  # steps before a spike that say what is usual
_LEAST_STEPS = 30  # a window and some steps to recover in
# Times the usual, deviations beyond it, times the first loss: a spike must exceed all three.
_TIMES_LOCAL, _DEVIATIONS, _TIMES_FIRST = 5.0, 10.0, 1.5
_MOST_SHARE = 0.03  # more of them are no spikes but the way this loss is
_ALARMING = 10.0  # times the first loss: it forgets what was learned
_RECOVERED = 0.5  # of the spike's height, within the next steps: what stays up is divergence


class SpikingLoss(Detector):
    """The loss of single steps is far above that of their neighbours.

    ## What it finds
    A loss many times that of its neighbours and above the loss that training began with, which then comes down again.

    ## Why it hurts
    One bad batch or one large update can undo much of what was learned and corrupts running averages.

    ## How it decides
    A spike is five times the median of the twenty losses before it, ten robust deviations above it and half as much
    again as the first losses, and is over a few steps later. It is a warning from ten times the first loss on. Where
    more than three in a hundred steps look like that, the loss is simply noisy and nothing is reported.

    ## Known problems
    Which batch it was is known only by its step.

    ## References
    Fault catalogue, training dynamics: loss-spike; numeric: bad-batch.
    """

    name = "loss-spike"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([*falling(count=70), 55.0, *falling(0.5, 0.3, 29)]),
        sketch([*falling(count=50), 900.0, 20.0, *falling(0.6, 0.3, 48)]),
    )
    healthy = (
        sketch([*falling(2.3, 0.01, 90), 0.4, *falling(0.01, 0.009, 9)]),
        sketch(noisy(falling(), 0.6)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for curve in curves(recording):
            found = _spikes(curve)
            if not found or len(found) > max(1, _MOST_SHARE * len(curve.values)):
                continue
            at = max(found, key=lambda index: curve.values[index])
            height, around = curve.values[at], median(curve.values[at - _WINDOW : at])
            alarming = height > _ALARMING * curve.scale and not may_wander(recording)
            yield self.symptom(
                f"The loss jumps from {around:.3g} to {height:.3g} at step {curve.steps[at]}, then falls again.",
                step=curve.steps[at],
                severity=Severity.WARNING if alarming else Severity.ADVICE,
                loss=height,
                around=around,
                first=curve.first,
                spikes=len(found),
            )
            return


def _spikes(curve: LossCurve) -> list[int]:
    values = curve.values
    if len(values) < _LEAST_STEPS:
        return []
    least = curve.first + (_TIMES_FIRST - 1) * curve.scale
    return [
        index
        for index in range(_WINDOW, len(values) - 3)
        if values[index] > least
        and _stands_out(values[index], values[index - _WINDOW : index])
        and _over(values, index)
    ]


def _stands_out(value: float, before: tuple[float, ...]) -> bool:
    level = median(before)
    return value > _TIMES_LOCAL * abs(level) and value - level > _DEVIATIONS * robust_deviation(before)


def _over(values: tuple[float, ...], index: int) -> bool:
    return median(values[index + 1 : index + 8]) < _RECOVERED * values[index]
