"""static-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.validation import Pair, accuracies, checkpoints, losses

_LEAST_POINTS = 4  # two or three validations can agree by chance
_FALL = 0.2  # of the training loss: training moves on
_GAIN = 0.15  # of the training accuracy: training moves on
_STILL = 1e-3  # of the validation loss: weights that change move it by more
_GOOD = 0.9  # a validation accuracy above it has little left to gain
_LEAST_SAMPLES = 40  # on fewer samples the same accuracy comes out by chance


class StaticValidation(Detector):
    """Validation results do not change while training does.

    ## What it finds
    A validation loss, or accuracy, that stays the same from epoch to epoch while the training loss falls.

    ## Why it hurts
    The validated model is not the trained one: another copy, running statistics that are never updated, constant
    outputs, or a value that is not recomputed.

    ## How it decides
    Over at least four validations the training loss falls by a fifth, and the validation loss varies by less than a
    thousandth; or the training accuracy gains fifteen points, and the validation accuracy on forty samples or more is
    exactly the same, and below 90 %.

    ## Known problems
    The number of validation samples is not always known; the accuracy on few samples may be constant by chance.

    ## References
    Fault catalogue, training dynamics: bn-stats-broken; API misuse: optimizer-param-mismatch.
    """

    name = "static-validation"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(validation=[2.303] * 10),
        sketch(accuracies=[0.3, 0.5, 0.7, 0.9], validation_accuracies=[0.1]),
    )
    healthy = (
        sketch([*falling(0.31, 0.3, 100)], validation=[0.35]),
        sketch(accuracies=[0.3, 0.5, 0.7, 0.9], validation_accuracies=[0.4, 0.6, 0.8]),
        sketch(accuracies=[0.8, 0.9, 1.0], validation_accuracies=[1.0]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = checkpoints(recording)
        points, hits = losses(found), accuracies(found)
        if len(points) >= _LEAST_POINTS and _loss_stands(points):
            yield self._say("loss", points)
        elif len(hits) >= _LEAST_POINTS and _accuracy_stands(hits) and not _few_samples(recording):
            yield self._say("accuracy", hits)

    def _say(self, what: str, points: Sequence[Pair]) -> Symptom:
        (_, first, _), (checkpoint, last, validation) = points[0], points[-1]
        return self.symptom(
            f"Validation {what} stays at {validation:.4g} while training {what} goes from {first:.3g} to {last:.3g}.",
            step=checkpoint.step,
            quantity=what,
            validation=validation,
            training_first=first,
            training_last=last,
            epochs=len(points),
        )


def _loss_stands(points: Sequence[Pair]) -> bool:
    values = [validation for _, _, validation in points]
    fall = points[0][1] - min(training for _, training, _ in points)
    return fall > _FALL * abs(points[0][1]) and max(values) - min(values) <= _STILL * abs(values[0])


def _accuracy_stands(points: Sequence[Pair]) -> bool:
    values = {validation for _, _, validation in points}
    return len(values) == 1 and max(values) < _GOOD and points[-1][1] - points[0][1] > _GAIN


def _few_samples(recording: Recording) -> bool:
    sizes = [data.samples for data in recording.data if data.phase == "validation" and data.samples]
    return bool(sizes) and max(sizes) < _LEAST_SAMPLES
