"""slow-learning."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import adversaries, progress
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.tracks import trainable
from bugloss.observe.trends import blocks, trend

_LEAST_STEPS = 50  # the pace of fewer steps is noise
_LEAST_FALL, _MOST_FALL = 0.01, 0.3  # of the first loss: less is flat, more is not slow
_SMALL = 3e-4  # of the weights in one update: usual training moves them by a thousandth
_STEADY = 0.6  # of the pace of the first half: a curve that levels out is slower in the second
_SURELY_FALLING = -3  # deviations of the trend test: one chance in seven hundred


class SlowLearning(Detector):
    """The loss falls very slowly because updates are tiny.

    ## What it finds
    Runs that reduce the loss by less than a third, evenly from beginning to end, with updates that are small compared
    with the weights.

    ## Why it hurts
    At this rate training takes many times the length of the run; the learning rate is too low, or gradients are too
    small.

    ## How it decides
    The loss falls by 1 to 30 % over at least fifty steps, surely, and the later half falls at no less than 60 % of the
    pace of the first: it is not levelling out. The median update changes weights by less than 3e-4 of their size. A
    warning below 15 % with updates under 1e-4, otherwise advice.

    ## Known problems
    Nothing is reported where updates were not measured.

    ## References
    Fault catalogue, training dynamics: update-ratio, lr-range.
    """

    name = "slow-learning"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(falling(2.3, 2.1), layers={name: {"update_ratio": 5e-5} for name in ("fc1", "fc2")}),
        sketch(falling(2.3, 1.8), layers={name: {"update_ratio": 2e-4} for name in ("fc1", "fc2")}),
    )
    healthy = (
        sketch(falling(2.3, 2.1)),
        sketch(
            noisy([*falling(2.3, 1.8, 20), *[1.8] * 80], 0.01),
            layers={name: {"update_ratio": 1e-4} for name in ("fc1", "fc2")},
        ),
        sketch(layers={name: {"update_ratio": 1e-4} for name in ("fc1", "fc2")}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = progress(recording)
        if known is None or known.beats_chance or adversaries(recording):
            return
        curve, ratio = known.curve, _usual_ratio(recording)
        if len(curve.values) < _LEAST_STEPS or not _LEAST_FALL <= curve.fall < _MOST_FALL or ratio is None:
            return
        if ratio >= _SMALL or trend(curve.values) > _SURELY_FALLING or not _evenly(curve.values):
            return
        alarming = curve.fall < _MOST_FALL / 2 and ratio < _SMALL / 3
        yield self.symptom(
            f"The loss falls by only {curve.fall:.0%} in {len(curve.values)} steps and is still falling at the end; "
            f"an update changes the weights by {ratio:.1e} of their size.",
            step=curve.steps[-1],
            severity=Severity.WARNING if alarming else Severity.ADVICE,
            fall=curve.fall,
            steps=len(curve.values),
            update_ratio=ratio,
        )


def _usual_ratio(recording: Recording) -> float | None:
    levels = [level for track in trainable(recording) if (level := track.level("update_ratio", since=1)) is not None]
    return median(levels) if levels else None


def _evenly(values: tuple[float, ...]) -> bool:
    levels = blocks(values, 10)
    middle = levels[len(levels) // 2]
    return middle - levels[-1] > _STEADY * (levels[0] - middle) > 0
