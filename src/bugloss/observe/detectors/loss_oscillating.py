"""loss-oscillating."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean, median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import LossCurve, curves, may_wander, progress
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.trends import finite, noise, turning_share

_LEAST_EPOCHS = 8  # fewer epochs have too few turns to count
_LEAST_STEPS = 40  # fewer steps have too few turns to count
# Of the first loss, from one measurement to the next: healthy curves move by less once they settle.
_SWINGS, _WIDE_SWINGS = 0.05, 0.1
_TURNS = 0.5  # of the points are turns: noise turns at two thirds, a steady fall at none
_LARGE_BATCH = 16  # losses of smaller batches swing by nature
_AVERAGED = 1.5  # steps an epoch: below that an epoch's mean is one batch
_STEP_SWING = 0.5  # of the first loss from step to step, where no epochs average the noise
_LAST_SWING = 0.3  # of the last loss, likewise
_ZIGZAG = [1.5 + (0.9 if index % 2 else -0.9) for index in range(10)]


class OscillatingLoss(Detector):
    """The training loss oscillates instead of settling.

    ## What it finds
    A loss that, averaged over whole epochs, goes up about as often as down, by relevant amounts; or single losses that
    vary by more than half of the first loss although their batches are not small.

    ## Why it hurts
    Updates overshoot the minimum in both directions. The quality of the model depends on the step at which it stops.

    ## How it decides
    Epoch means are compared, since each of them has seen the same data. In the later half at least half of the inner
    points are turning points, the mean change is at least 5 % of the first loss and four times the standard error from
    the noise of single batches. A warning from 10 % on, while the model has not learned its task; otherwise advice.

    ## Known problems
    Without epochs only very large oscillations are seen, since small batches make any loss noisy.

    ## References
    Fault catalogue, training dynamics: loss-oscillate.
    """

    name = "loss-oscillating"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([value for level in _ZIGZAG for value in noisy([level] * 10, 0.1)]),
        sketch(_ZIGZAG * 3, steps={"epoch": list(range(30))}, epochs=()),
        sketch(noisy([20.0, 1.0] * 50, 0.3)),
    )
    healthy = (
        sketch(noisy(falling(2.3, 0.2), 0.3)),
        sketch([*falling(2.3, 0.01, 20), *noisy([0.01] * 20, 0.5)], steps={"epoch": list(range(40))}, epochs=()),
        sketch(noisy([1.0] * 100, 0.4), steps={"batch": 2}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = progress(recording)
        for curve in curves(recording):
            swing = _epoch_swing(recording, curve) or _step_swing(recording, curve)
            if swing < _SWINGS * curve.scale:
                continue
            calm = may_wander(recording) or (known is not None and known.beats_chance)
            alarming = swing >= _WIDE_SWINGS * curve.scale and not calm
            yield self.symptom(
                f"The loss oscillates by {swing:.3g} around {curve.last:.3g} and does not settle (it starts at "
                f"{curve.first:.3g}).",
                step=curve.steps[len(curve.steps) // 2],
                severity=Severity.WARNING if alarming else Severity.ADVICE,
                swing=swing,
                last=curve.last,
                first=curve.first,
            )
            return


def _epoch_swing(recording: Recording, curve: LossCurve) -> float:
    """The mean change from epoch to epoch in the later half, where it goes back and forth; otherwise 0."""
    means = _epoch_means(recording, curve)
    later = means[len(means) // 2 :]
    if len(means) < _LEAST_EPOCHS or turning_share(later) < _TURNS:
        return 0.0
    swing = fmean(abs(second - first) for first, second in pairwise(later))
    per_epoch = len(curve.values) / len(means)
    left_over = noise(curve.values) / math.sqrt(per_epoch) if per_epoch > _AVERAGED else 0.0
    drift = abs(median(later[:2]) - median(later[-2:]))
    return swing if swing > 4 * left_over and drift < 2 * swing else 0.0


def _step_swing(recording: Recording, curve: LossCurve) -> float:
    """The noise of single losses, where it is beyond what batches of this size explain; otherwise 0."""
    batches = [step.batch for step in recording.steps if step.batch is not None]
    if len(curve.values) < _LEAST_STEPS or not batches or median(batches) < _LARGE_BATCH:
        return 0.0
    swing = noise(curve.values[len(curve.values) // 2 :])
    return swing if swing > max(_STEP_SWING * curve.scale, _LAST_SWING * abs(curve.last)) else 0.0


def _epoch_means(recording: Recording, curve: LossCurve) -> Sequence[float]:
    means = finite(epoch.loss for epoch in recording.epochs)
    if len(means) >= _LEAST_EPOCHS or not curve.optimizer:
        return means
    sums: dict[int, list[float]] = {}
    for step in recording.steps:
        if step.optimizer != curve.optimizer or step.epoch is None:
            continue
        if step.loss is not None and math.isfinite(step.loss):
            sums.setdefault(step.epoch, []).append(step.loss)
    return [fmean(values) for values in sums.values()]
