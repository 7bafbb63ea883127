"""loss-flat."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import never_negative
from bugloss.core.taxonomy import Category
from bugloss.observe.chance import Chance, only_loss
from bugloss.observe.contract import Detector
from bugloss.observe.progress import GOOD_BY_ANY_MEASURE, LossCurve, Progress, curves, may_wander, progress
from bugloss.observe.recording import Data, Numbers, Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.trends import MEDIAN_ERROR, blocks, trend

_LEAST_STEPS = 20  # a healthy loss may rest on a plateau for fewer
_MANY_STEPS = 50  # after so many steps at one value nothing moves any more
_NEGLIGIBLE = 0.02  # of the first loss: a model that learns anything falls by more
_CLEAR = 0.05  # of the first loss: a fall that is visible in the curve
_CONSTANT = 1e-7  # of the first loss: single precision cannot tell such losses apart
_ROUNDS_TO_ZERO = 1e-6  # a loss below this has nothing left to fall by
_FALLING = -2.5  # deviations of the trend test: one chance in a hundred and sixty
_BELOW_SCALE = 0.3  # of the targets' scale or its square, whichever is less: a regression that far down has learned
_SQUARES = {"kind": "mse", "name": "MSELoss", "output_shape": (64, 1), "target_shape": (64, 1)}
_TARGETS = Data("train", 640, 64, True, target=Numbers((640, 1), "float32", 0.0, 20.0, 10.0, 3.0))


@dataclass(frozen=True, slots=True)
class _Verdict:
    level: str  # start | chance | constant
    words: str


class FlatLoss(Detector):
    """The training loss does not fall.

    ## What it finds
    A loss that ends where it began, or one that drops to chance level at once and stays there.

    ## Why it hurts
    Nothing is learned: the gradient does not reach the weights, the updates are too small or too large, or the inputs
    contain no information about the labels.

    ## How it decides
    The last third is compared with the first fifth: with the noise of the curve allowed for, the fall must be under 2 %
    of the first loss, and no shorter beginning may have been clearly higher. Also, a loss whose second half is constant
    at no less than 95 % of the chance level (entropy of the labels, variance of the targets) is flat wherever it began.
    A model that is far better than chance has nothing left to learn, and nothing is reported. Where the smallest
    possible loss is not known it is advice only.

    ## Known problems
    A task with a long plateau at the start, or one that cannot be learned at all, looks the same.

    ## References
    Fault catalogue, training dynamics: loss-flat; DeepLocalize and DeepDiagnosis have fixed-threshold forms of it.
    """

    name = "loss-flat"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(noisy([2.303] * 100, 0.03)),
        sketch([2.31 - 0.0001 * index for index in range(60)]),
        sketch([14.2, 6.0, *noisy([2.304] * 98, 0.01)]),
        sketch([160.0, *noisy([9.0] * 99, 0.05)], loss=_SQUARES, data={"target": _TARGETS.target}),
        sketch([0.0] * 60, loss={"kind": "cross-entropy", "name": "categorical_crossentropy"}),
    )
    healthy = (
        sketch(noisy([0.05] * 100, 0.2)),
        sketch([*falling(2.3, 0.3, 10), *noisy([0.3] * 90, 0.05)]),
        sketch(noisy(falling(2.3, 1.9), 0.15)),
        sketch(noisy([1.1] * 100, 0.05), loss=_SQUARES, data={"target": _TARGETS.target}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = progress(recording)
        for curve in curves(recording):
            verdict = _judge(curve, known)
            if verdict is None:
                continue
            chance = known.chance if known else None
            yield self.symptom(
                f"The loss {verdict.words}.",
                step=curve.steps[min(len(curve.steps), 50) - 1],
                severity=_severity(recording, curve, verdict, chance),
                first=curve.first,
                last=curve.last,
                fall=curve.fall,
                steps=len(curve.values),
                level=verdict.level,
                chance=chance.loss if chance else None,
            )
            return


def _judge(curve: LossCurve, known: Progress | None) -> _Verdict | None:
    if len(curve.values) < _LEAST_STEPS:
        return None
    spread = max(curve.values) - min(curve.values)
    if spread <= _CONSTANT * max(abs(curve.values[0]), _ROUNDS_TO_ZERO):
        perfect = known is not None and known.accuracy is not None and known.accuracy >= GOOD_BY_ANY_MEASURE
        return None if perfect else _Verdict("constant", f"is {curve.values[0]:.4g} in all {len(curve.values)} steps")
    if known is not None and known.beats_chance:
        return None
    if _stands_still(curve):
        words = (
            f"does not fall: it is {curve.first:.4g} at the start and {curve.last:.4g} after {len(curve.values)} steps"
        )
        return _Verdict("start", words)
    if known is not None and known.at_chance and known.chance is not None and _ends_still(curve):
        words = f"stays at {curve.last:.4g}; chance level is {known.chance.loss:.4g}"
        return _Verdict("chance", words)
    return None


def _stands_still(curve: LossCurve) -> bool:
    """Whether the end is neither lower nor higher than the beginning; noise counts as a fall."""
    values, count = curve.values, len(curve.values)
    end = median(values[-(count // 3) :])
    for size in (1, 3, max(count // 20, 5)):
        doubt = _doubt(curve, size)
        if median(values[:size]) - end > max(4 * doubt, _CLEAR * curve.scale):
            return False
    doubt = _doubt(curve, count // 5)
    change = median(values[: count // 5]) - end
    lowest = min(blocks(values, 10))
    if end - lowest > max(4 * _doubt(curve, count // 10), _CLEAR * curve.scale):
        return False
    return change + 2 * doubt < _NEGLIGIBLE * curve.scale and change - 2 * doubt > -_CLEAR * curve.scale


def _doubt(curve: LossCurve, size: int) -> float:
    return MEDIAN_ERROR * curve.noise * math.sqrt(1 / max(size, 1) + 3 / len(curve.values))


def _ends_still(curve: LossCurve) -> bool:
    half = curve.values[len(curve.values) // 2 :]
    parts = blocks(half, 10)
    start, end = median(parts[:3]), median(parts[-3:])
    margin = _NEGLIGIBLE * min(abs(start), abs(end))
    if len(half) >= _MANY_STEPS:
        margin = max(margin, min(3 * _doubt(curve, len(half) // 3), _CLEAR * curve.scale))
    return abs(start - end) < margin and trend(half) > _FALLING


def _severity(recording: Recording, curve: LossCurve, verdict: _Verdict, chance: Chance | None) -> Severity:
    loss = only_loss(recording)
    if may_wander(recording):
        return Severity.ADVICE
    if verdict.level != "start" or chance is not None:
        return Severity.WARNING
    standard = loss is not None and never_negative(loss.kind)
    return Severity.WARNING if standard and not _near_floor(recording, curve) else Severity.ADVICE


def _near_floor(recording: Recording, curve: LossCurve) -> bool:
    """Whether the loss is so small against its targets that there may be nothing left to learn."""
    seen = [*(data.target for data in recording.data), *(batch.target for batch in recording.batches)]
    scales = [target.std for target in seen if target is not None and math.isfinite(target.std) and target.std > 0]
    return not scales or curve.last < _BELOW_SCALE * min(max(scales) ** 2, max(scales))
