"""still-improving."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import Progress, may_wander, progress
from bugloss.observe.recording import Epoch, Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.trends import blocks, trend
from bugloss.observe.validation import checkpoints

_LEAST_STEPS = 20  # two for each tenth of the curve at the least
_LEAST_LEVELS = 5  # fewer levels have no last fifth
_LAST_PART = 0.12  # of the whole fall, in the last fifth; a steady fall has 0.2, one that levels out far less
_LEAST_FALL = 0.03  # in the last fifth, of the level there: less is not worth more epochs
_FALLING = -1.6  # deviations of the trend test: one chance in twenty
_STEADY = [2.3 - 0.009 * index for index in range(100)]


class StillImproving(Detector):
    """Training stops while the model is still improving.

    ## What it finds
    Runs whose loss falls at the end about as fast as before, with much room for improvement.

    ## Why it hurts
    The model is far from what it could reach with a few more epochs.

    ## How it decides
    The last fifth of the run must bring at least 12 % of the whole fall (a curve that levels out brings less) and 3 %
    of the loss, significantly. Validation losses are used where there are five, otherwise the training loss. After two
    to four epochs, each must be better than the last by 3 %. It is a warning while the result is poor (an accuracy
    under 60 % of the way from chance to perfect, a loss above 65 % of chance level, or above half of the first one
    where that is not known), otherwise advice. Runs that raised an exception or were stopped would have gone on.

    ## Known problems
    A short example program looks the same.

    ## References
    Fault catalogue, training dynamics: epochs-few / many.
    """

    name = "still-improving"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(noisy(_STEADY, 0.02)),
        sketch(_STEADY, validation=[2.2, 2.1, 2.0, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3]),
        sketch([2.3 - 0.02 * index for index in range(100)], accuracies=[0.1, 0.5, 0.9]),
        sketch(noisy([2.2] * 30, 0.05), epochs=(Epoch(0, 14, 2.3, 0.1, 2.25, 0.15), Epoch(1, 29, 2.2, 0.15, 2.1, 0.2))),
    )
    healthy = (
        sketch(),
        replace(sketch(noisy(_STEADY, 0.02)), unfinished=True),
        sketch(noisy([*falling(2.3, 1.5, 50), *[1.5] * 50], 0.05)),
        sketch(_STEADY, validation=[2.2, 1.9, 1.6, 1.4, 1.3, 1.25, 1.22, 1.2, 1.19, 1.19]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = None if recording.unfinished else progress(recording)
        if known is None or len(known.curve.values) < _LEAST_STEPS or may_wander(recording) or known.curve.last < 0:
            return
        levels, phase = _levels(recording, known)
        last_part = _improves(levels)
        if last_part is not None:
            words = f"{last_part:.0%} of it in the last fifth of the run"
            yield self._say(known, levels, phase, words)
        else:
            levels, phase = _few_epochs(recording)
            if levels and known.poor:
                yield self._say(known, levels, phase, f"in each of its {len(levels)} epochs")

    def _say(self, known: Progress, levels: Sequence[float], phase: str, words: str) -> Symptom:
        return self.symptom(
            f"Training stops while the {phase} loss still falls: from {levels[0]:.3g} to {levels[-1]:.3g}, {words}.",
            step=known.curve.steps[-1],
            severity=Severity.WARNING if known.poor else Severity.ADVICE,
            first=levels[0],
            last=levels[-1],
            phase=phase,
            accuracy=known.accuracy,
        )


def _levels(recording: Recording, known: Progress) -> tuple[Sequence[float], str]:
    losses = [point.validation_loss for point in checkpoints(recording)]
    validation = [loss for loss in losses if loss is not None and math.isfinite(loss)]
    if len(validation) >= _LEAST_LEVELS:
        return validation, "validation"
    return blocks(known.curve.values, 10), "training"


def _few_epochs(recording: Recording) -> tuple[Sequence[float], str]:
    """The losses of two to four epochs, where every one of them is better than the last; otherwise nothing."""
    points = checkpoints(recording)
    for phase, values in (
        ("validation", [point.validation_loss for point in points]),
        ("training", [epoch.loss for epoch in recording.epochs]),
    ):
        losses = [loss for loss in values if loss is not None and math.isfinite(loss)]
        if 2 <= len(losses) < _LEAST_LEVELS:
            better = all(later < (1 - _LEAST_FALL) * earlier for earlier, later in pairwise(losses))
            return (losses, phase) if better else ((), "")
    return (), ""


def _improves(levels: Sequence[float]) -> float | None:
    """The part of the whole fall that the last fifth brought, where it is large and sure."""
    back = max(len(levels) // 5, 1)
    whole, recent = levels[0] - levels[-1], levels[-1 - back] - levels[-1]
    if whole <= 0 or recent < _LAST_PART * whole or recent < _LEAST_FALL * abs(levels[-1]):
        return None
    later = levels[-max(len(levels) // 2, 4) :]
    return recent / whole if trend(later) < _FALLING and levels[-1] == min(levels) else None
