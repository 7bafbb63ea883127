"""loss-diverging."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.chance import chance
from bugloss.observe.contract import Detector
from bugloss.observe.progress import LossCurve, curves, may_wander, progress
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.trends import TINY, blocks, persistent

_LEAST_STEPS = 10  # fewer losses are one hard batch after another
_ABOVE = 0.5  # of the first loss: mini-batch noise stays below half of it
_STAYS_ABOVE = 0.3  # of the first loss, in each of the last tenths: the rise lasts
_FAR_ABOVE = 9.0  # times the first loss on top of it: ten times is beyond every noise
_IN_A_ROW = 3  # losses in a row, so that one spike does not count


class DivergingLoss(Detector):
    """The training loss grows beyond where it started.

    ## What it finds
    A loss that ends clearly above its beginning, or that grows tenfold before it becomes NaN.

    ## Why it hurts
    Updates are so large that each of them makes the model worse.

    ## How it decides
    The last three tenths of the run are all at least 30 %, and its end at least 50 %, above both the first losses and
    the upper part of the first fifth. With batches of eight or more, where the first loss is representative, three
    times the first loss is enough, and three losses in a row at ten times the first one are reported even if they come
    down again. Ten times is an error. Losses of several optimizers that take turns need not fall: advice.

    ## Known problems
    A loss whose weights or terms are changed on purpose during training may grow without a fault.

    ## References
    Fault catalogue, training dynamics: loss-diverge.
    """

    name = "loss-diverging"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([2.3 * 1.05**index for index in range(100)]),
        sketch([2.3, 9.0, 700.0, 1e6, 1e12, math.inf, *[math.nan] * 14]),
        sketch(noisy([*[2.3] * 3, *[12.0] * 97], 0.2)),
        sketch([1.7, 700.0, 650.0, 2000.0, 900.0, 200.0, 110.0, *falling(50.0, 0.5, 93)]),
    )
    healthy = (
        sketch([*falling(2.3, 0.001, 80), *[0.004] * 20]),
        sketch(noisy([2.3] * 100, 0.5)),
        sketch(noisy([*falling(2.0, 1.0, 50), *falling(1.0, 2.2, 50)], 0.05)),
        sketch([2.3, 4.5, 4.0, 3.0, *falling(2.5, 0.3, 96)]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for curve in curves(recording):
            if _burst(recording, curve):
                yield self._say(curve, curve.values[-1], Severity.ERROR)
                return
            known = progress(recording)
            if len(curve.values) >= _LEAST_STEPS and _grew(curve) and not (known and known.beats_chance):
                far = curve.last > curve.first + _FAR_ABOVE * curve.scale
                severity = Severity.ERROR if far else Severity.WARNING
                yield self._say(curve, curve.last, Severity.ADVICE if may_wander(recording) else severity)
                return
            summit = _summit(recording, curve)
            if summit is not None:
                yield self._of_summit(recording, curve, *summit)
                return

    def _of_summit(self, recording: Recording, curve: LossCurve, step: int, height: float) -> Symptom:
        return self.symptom(
            f"The loss rises from {curve.first:.4g} to {height:.4g} before it falls to {curve.last:.4g}.",
            step=step,
            severity=Severity.ADVICE if may_wander(recording) else Severity.WARNING,
            first=curve.first,
            highest=height,
            last=curve.last,
            steps=len(curve.values),
        )

    def _say(self, curve: LossCurve, last: float, severity: Severity) -> Symptom:
        level = curve.first + _ABOVE * curve.scale
        at = next(
            (step for step, value in zip(curve.steps, curve.values, strict=True) if value > level), curve.steps[-1]
        )
        return self.symptom(
            f"The loss rises from {curve.first:.4g} to {last:.4g} in {len(curve.values)} steps.",
            step=at,
            severity=severity,
            first=curve.first,
            last=last,
            lowest=min(curve.values),
            steps=len(curve.values),
        )


def _burst(recording: Recording, curve: LossCurve) -> bool:
    """Whether the loss grew tenfold and then became NaN or infinite."""
    ends = [step.loss for step in recording.steps if step.loss is not None and step.optimizer == curve.optimizer][-3:]
    if not ends or all(math.isfinite(loss) for loss in ends):
        return False
    return curve.values[-1] > curve.values[0] + _FAR_ABOVE * max(abs(curve.values[0]), TINY)


def _grew(curve: LossCurve) -> bool:
    values, scale = curve.values, curve.scale
    tail = blocks(values, 10)[-3:]
    beginning = sorted(values[: max(len(values) // 5, 3)])
    start = max(curve.first, beginning[(3 * len(beginning)) // 4])
    if curve.last > start + _ABOVE * scale and all(level > start + _STAYS_ABOVE * scale for level in tail):
        return True
    return curve.steady and min(tail) > curve.first + 2 * scale and curve.last > curve.first + 2 * scale


def _summit(recording: Recording, curve: LossCurve) -> tuple[int, float] | None:
    """Where the loss first stayed ten times above its start, and its maximum; None where it did not."""
    level = chance(recording)
    limit = curve.first + _FAR_ABOVE * max(curve.scale, level.loss if level else 0.0)
    at = persistent((value > limit for value in curve.values), _IN_A_ROW)
    if at is None or not curve.steady or len(curve.values) < _LEAST_STEPS:
        return None
    return curve.steps[at], max(curve.values)
