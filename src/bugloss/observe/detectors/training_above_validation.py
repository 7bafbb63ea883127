"""training-above-validation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import progress
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.validation import checkpoints, losses

_LEAST_POINTS = 4  # the first epoch has none before it, and the last three must show it
_CLEARLY = 1.3  # times the validation loss: dropout of usual rates explains a tenth or two
_LESS_FALL = 0.5  # of the fall of the validation loss: training lags behind what the model can do
_MOSTLY = 0.6  # of all epochs: it is the rule and no exception
_EASY = [1.6, 1.3, 1.1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.45, 0.4]


class TrainingAboveValidation(Detector):
    """The training loss stays clearly above the validation loss.

    ## What it finds
    Runs in which the model does better on validation data than on the data it is trained with, from epoch to epoch.

    ## Why it hurts
    Something makes training too hard: dropout, noise or augmentation are too strong, or the training loss includes
    regularization. Some of it is intended; with too much the model cannot learn.

    ## How it decides
    The loss over an epoch is compared with the validation loss *before* that epoch, so that progress within the epoch
    does not count. It must be 30 % above it in the last three epochs and in most of all. Advice; a warning when the
    training loss has fallen by less than half of what the validation loss has fallen by, counted from the first loss,
    and training is still far from its goal.

    ## Known problems
    A validation set that is easier than the training set does the same.

    ## References
    Fault catalogue, data: augmentation-harm; model structure: dropout-rate.
    """

    name = "training-above-validation"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(falling(2.3, 1.9), validation=[2.0, 1.6, 1.4, 1.3, 1.2, 1.1, 1.1, 1.0, 1.0, 0.95]),
        sketch(falling(2.3, 0.7), validation=_EASY),
    )
    healthy = (
        sketch(falling(2.3, 0.2), validation=[1.8, 1.4, 1.1, 0.9, 0.7, 0.55, 0.45, 0.35, 0.25, 0.2]),
        sketch(falling(2.3, 1.9), validation=[2.2, 2.1, 2.05, 2.0, 1.95, 1.9, 1.9, 1.85, 1.85, 1.8]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        points = losses(checkpoints(recording))
        if len(points) < _LEAST_POINTS:
            return
        above = [later[1] > _CLEARLY * earlier[2] > 0 for earlier, later in pairwise(points)]
        if not all(above[-3:]) or sum(above) < _MOSTLY * len(above):
            return
        checkpoint, training, validation = points[-1]
        known = progress(recording)
        start = max(points[0][1], known.curve.first) if known is not None else points[0][1]
        fall, validation_fall = start - training, start - validation
        if validation_fall <= 0 or validation > points[0][2]:
            return  # a run that diverges has other names
        hampered = fall < _LESS_FALL * validation_fall and not (known is not None and known.beats_chance)
        yield self.symptom(
            f"The training loss stays at {training:.3g} while the validation loss is {validation:.3g}.",
            step=checkpoint.step,
            severity=Severity.WARNING if hampered else Severity.ADVICE,
            training=training,
            validation=validation,
            ratio=median(later[1] / earlier[2] for earlier, later in pairwise(points[-4:])),
            fall=fall,
            validation_fall=validation_fall,
        )
