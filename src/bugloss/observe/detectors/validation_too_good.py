"""validation-too-good."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Data, RecordedLayer, Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.validation import Pair, accuracies, checkpoints

# Of accuracy: five points are beyond the noise of usual validation sets, twenty beyond doubt.
_AHEAD, _FAR_AHEAD = 0.05, 0.2
_LEAST_POINTS = 4  # the first epoch has none before it, and the last three must show it
_LEAST_SAMPLES = 50  # on fewer samples twenty points are chance
_HARDER = ("dropout", "noise", "norm", "random", "augment")
_DROPOUT = (
    RecordedLayer("fc1", "Linear", 680, 680),
    RecordedLayer("dropout", "Dropout", settings={"rate": 0.5}),
    RecordedLayer("fc2", "Linear", 410, 410),
)


class SuspiciousValidation(Detector):
    """Validation accuracy is better than training accuracy, and nothing in the model explains it.

    ## What it finds
    Validation accuracies at least five points above the training accuracy, to the end of the run.

    ## Why it hurts
    A model is not better on data that it has not seen. Usually the validation data are not a representative sample,
    leaked into training, are few, or are evaluated in another way.

    ## How it decides
    The accuracy of an epoch is compared with the validation *before* it, in each of the last three epochs. Models with
    dropout, noise, normalisation or augmentation are left out. Twenty points on fifty samples or more are a warning,
    otherwise advice.

    ## Known problems
    Augmentation outside the model is not seen.

    ## References
    Fault catalogue, training dynamics: val-too-good.
    """

    name = "validation-too-good"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(accuracies=[0.5, 0.6, 0.7], validation_accuracies=[0.9, 0.95, 0.99], data={"phase": "validation"}),
        sketch(accuracies=[0.5, 0.6, 0.7], validation_accuracies=[0.6, 0.7, 0.8]),
    )
    healthy = (
        sketch(architecture=_DROPOUT, accuracies=[0.5, 0.6, 0.7], validation_accuracies=[0.6, 0.7, 0.8]),
        sketch(
            accuracies=[0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97],
            validation_accuracies=[0.48, 0.68, 0.78, 0.88, 0.93, 0.95, 0.96],
        ),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        points = accuracies(checkpoints(recording))
        if len(points) < _LEAST_POINTS or any(_makes_training_harder(layer) for layer in recording.layers.values()):
            return
        ahead = _lead(points)
        if ahead < _AHEAD:
            return
        checkpoint, training, validation = points[-1]
        enough = any(data.phase == "validation" and (data.samples or 0) >= _LEAST_SAMPLES for data in recording.data)
        yield self.symptom(
            f"Validation accuracy is {validation:.0%}, but training accuracy is {training:.0%}, and dropout does not "
            "explain the gap.",
            step=checkpoint.step,
            severity=Severity.WARNING if ahead >= _FAR_AHEAD and enough else Severity.ADVICE,
            training_accuracy=training,
            validation_accuracy=validation,
            lead=ahead,
            validation_samples=_samples(recording.data),
        )


def _lead(points: Sequence[Pair]) -> float:
    """How far validation is ahead of the epoch that follows it, at the least over the last three."""
    leads = [earlier[2] - later[1] for earlier, later in pairwise(points[-4:])]
    return median(leads) if min(leads) > 0 else 0.0


def _makes_training_harder(layer: RecordedLayer) -> bool:
    return any(word in layer.kind.lower() for word in _HARDER)


def _samples(data: Sequence[Data]) -> int | None:
    return next((each.samples for each in data if each.phase == "validation"), None)
