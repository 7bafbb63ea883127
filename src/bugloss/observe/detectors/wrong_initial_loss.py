"""wrong-initial-loss."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.chance import class_count, is_weighted, only_loss
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import LossFunction, Numbers, Recording
from bugloss.observe.sketch import falling, sketch

_SUMS = {"sum"}
_MEANS = {"mean", "sum_over_batch_size", "auto"}
_SQUARES = {"kind": "mse", "name": "mse", "output_shape": (64, 1), "target_shape": (64, 1)}
_HALF = 0.5  # of the expected loss: a model that knows nothing cannot be better by chance
# Times ln C: default initialisation stays below twice, and ten times is a model that is sure and wrong.
_ENTROPY = (2.0, 10.0)
# Times the mean square: outputs of three times the targets' scale are common, of thirty are not.
_SQUARE = (10.0, 1000.0)
_TARGET = Numbers((64, 1), "float32", -3.0, 3.0, 0.2, 1.0)


@dataclass(frozen=True, slots=True)
class _Expectation:
    loss: float
    words: str
    hint: float  # times the expectation from which on it is worth a remark
    alarm: float


class WrongInitialLoss(Detector):
    """The first loss is far from that of an untrained model.

    ## What it finds
    A cross-entropy that starts many times above the logarithm of the number of classes, a binary one above ln 2, or a
    squared error far beyond the size of the targets.

    ## Why it hurts
    The model starts confident and wrong instead of undecided: inputs or initial weights are too large, outputs go into
    the loss in the wrong form, labels do not fit, or the loss is summed where a mean was meant. Training has to correct
    this first.

    ## How it decides
    The first loss is compared with ln C for C classes, ln 2 for two, or the mean square of the targets; only where
    loss, reduction and targets are known, and where one optimizer works: the losses of a GAN are arbitrary sums. Twice
    a cross-entropy's expectation (ten times for squares) is advice, ten times (a thousand for squares) a warning where
    the model does not learn. A first loss under half of the expectation is advice: the model may be pretrained, or its
    input may contain the target.

    ## Known problems
    Penalties that are part of the loss count too, as far as their share is not known.

    ## References
    Fault catalogue, training dynamics: loss-initial.
    """

    name = "wrong-initial-loss"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(falling(48.0, 2.0)),
        sketch(falling(2.303 * 64, 10.0)),
        sketch(falling(5e4, 1.0), loss=_SQUARES, batch={"target": _TARGET}),
        sketch(falling(0.5, 0.1)),
    )
    healthy = (
        sketch(falling(2.303 * 64, 10.0), loss={"reduction": "sum"}),
        sketch(falling(3.1, 0.1)),
        sketch(
            falling(8e4, 1e3), loss=_SQUARES, batch={"target": Numbers((64, 1), "float32", 0.0, 900.0, 250.0, 80.0)}
        ),
        sketch(falling(48.0, 2.0), loss={"kind": "custom", "name": "my_loss"}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        loss, first = only_loss(recording), _first(recording)
        expected = _expected(recording, loss) if loss is not None else None
        if loss is None or first is None or expected is None or len(recording.optimizers) > 1:
            return
        ratio = first / expected.loss
        if _HALF < ratio < expected.hint or (expected.alarm > 100 and ratio < expected.hint):
            return
        yield self.symptom(
            f"The first loss is {first:.4g}, {ratio:.2g} times the {expected.loss:.4g} {expected.words}.",
            step=recording.steps[0].step,
            site=loss.site,
            severity=alarm_if_struggling(recording) if ratio >= expected.alarm else Severity.ADVICE,
            first=first,
            expected=expected.loss,
            ratio=ratio,
            kind=loss.kind,
        )


def _first(recording: Recording) -> float | None:
    """The loss before the first update, without penalties."""
    if not recording.steps or recording.steps[0].step > 1:
        return None
    step = recording.steps[0]
    if step.loss is None or not math.isfinite(step.loss):
        return None
    return step.loss * (1 - (step.regularization or 0.0))


def _expected(recording: Recording, loss: LossFunction) -> _Expectation | None:
    if loss.reduction not in _MEANS | _SUMS or is_weighted(recording, loss):
        return None
    times = float(_terms(loss)) if loss.reduction in _SUMS else 1.0
    classes = class_count(recording)
    if classes is not None:
        words = f"at chance level with {classes} classes"
        return _Expectation(math.log(classes) * times, words, *_ENTROPY)
    square = _mean_square(recording) if loss.kind == "mse" else None
    words = "of predicting zero for these targets"
    return _Expectation(square * times, words, *_SQUARE) if square else None


def _terms(loss: LossFunction) -> int:
    """How many numbers a sum adds up: one for each output, or for each target where these are class indices."""
    classes = loss.kind in {"cross-entropy", "nll"}
    return max(math.prod(loss.target_shape if classes else loss.output_shape), 1)


def _mean_square(recording: Recording) -> float | None:
    first = next((batch.target for batch in recording.batches if batch.phase == "train" and batch.target), None)
    if first is None:
        return None
    square = first.mean**2 + first.std**2
    return square if square > 0 and math.isfinite(square) else None
