"""regularization-dominates."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import progress
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.trends import share

_HALF = 0.5  # of the loss: from there on the optimizer mostly shrinks weights
_LEAST_STEPS = 10  # penalties of the start say nothing about training
_NEARLY_ALL = 0.9  # of the loss: the data hardly count
_NOT_FALLEN = 0.9  # of the data's part at the start: nothing was learned


class DominatingRegularization(Detector):
    """Regularization terms make up most of the loss.

    ## What it finds
    Runs in which regularizers account for more than half of the loss on most steps.

    ## Why it hurts
    Training then mostly makes weights small and hardly fits the data.

    ## How it decides
    By the share of regularization in the loss. It is a warning when the data term does not fall by a tenth during the
    run, or, where regularization is nine tenths of the loss, not to half of the chance level. Otherwise it is advice: a
    model that fits its data has only regularization left.

    ## Known problems
    Weight decay in the optimizer is not part of the loss and is not seen here.

    ## References
    Fault catalogue, training dynamics: reg-dominates.
    """

    name = "regularization-dominates"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(
            [10.0 - 0.05 * index for index in range(100)],
            steps={"regularization": [0.77 - 0.002 * n for n in range(100)]},
        ),
        sketch(falling(8.0, 2.0), steps={"regularization": 0.7}),
    )
    healthy = (
        sketch(steps={"regularization": 0.3}),
        sketch(falling(2.3, 0.1), steps={"regularization": [0.1] * 60 + [0.9] * 40}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = [
            (step.loss, step.regularization)
            for step in recording.steps
            if step.loss is not None and step.regularization is not None
            if math.isfinite(step.loss) and math.isfinite(step.regularization)
        ]
        if len(known) < _LEAST_STEPS or share(part > _HALF for _, part in known) <= _HALF:
            return
        usual = median(part for _, part in known)
        data = [loss * (1 - part) for loss, part in known]
        size = max(len(data) // 10, 3)
        first, last = median(data[:size]), median(data[-size:])
        yield self.symptom(
            f"Regularization is {usual:.0%} of the loss; the data term goes from {first:.3g} to {last:.3g}.",
            step=recording.steps[0].step,
            severity=Severity.WARNING if _underperforms(recording, usual, first, last) else Severity.ADVICE,
            share=usual,
            first=first,
            last=last,
        )


def _underperforms(recording: Recording, usual: float, first: float, last: float) -> bool:
    """Whether the data term of the loss shows that regularization is too strong."""
    known = progress(recording)
    if known is None:
        return False
    if usual > _NEARLY_ALL and known.chance is not None:
        return last > _HALF * known.chance.loss
    return last > _NOT_FALLEN * first and not known.beats_chance
