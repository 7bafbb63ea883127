"""label-out-of-range."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import class_width, main_loss, refuses_strange_labels
from bugloss.observe.labels import encoding, known_targets
from bugloss.observe.recording import LossFunction, Numbers, Recording, Started, Targets
from bugloss.observe.sketch import sketch

_TOLERANCE = 1e-3  # labels that went through single precision or smoothing are off by less
_KERAS = Started("keras", "3.15.0", "tensorflow")
_FROM_ONE = Numbers((64,), "int64", 1.0, 10.0, 5.5, 2.9)
_SIGNS = Numbers((64, 1), "float32", -1.0, 1.0, 0.0, 1.0)
_BINARY = {"kind": "binary-cross-entropy", "name": "binary_crossentropy", "output_shape": (64, 1)}
_SPARSE = {"name": "sparse_categorical_crossentropy", "from_logits": False}


class LabelOutOfRange(Detector):
    """Labels are outside the range that the loss accepts.

    ## What it finds
    Class indices below zero, or not below the number of outputs, in a cross-entropy; labels outside 0 to 1, such as -1
    and 1, or 1 and 2, in a binary cross-entropy.

    ## Why it hurts
    A class index without an output stops the program or makes the loss NaN or meaningless. A binary cross-entropy with
    labels outside 0 to 1 has no minimum: it keeps falling below zero.

    ## How it decides
    The smallest and largest label are compared with the number of outputs, or with 0 and 1. PyTorch rejects class
    indices without an output, except ``ignore_index``; where it accepted them, nothing is reported. TensorFlow rejects
    them or gives NaN: where every loss was finite, the labels belong to another head, as in transfer learning.

    ## Known problems
    Losses that are averaged by hand (``reduction="none"``) may mask such labels and are left out.

    ## References
    pytorch/pytorch#1204 and #18014 (labels that cause device-side asserts).
    """

    name = "label-out-of-range"
    severity = Severity.ERROR
    category = Category.TENSOR
    faulty = (
        sketch([math.nan] * 5, started=_KERAS, loss=_SPARSE, batch={"target": _FROM_ONE}),
        sketch(loss=_BINARY, batch={"target": _SIGNS, "targets": Targets("binary", 2)}),
        sketch(loss=_BINARY, data={"target": Numbers((64,), "int64", 1.0, 2.0, 1.5, 0.5)}),
    )
    healthy = (
        sketch(),
        sketch(started=_KERAS, loss=_SPARSE, batch={"target": _FROM_ONE}),
        sketch(batch={"target": Numbers((64,), "int64", -100.0, 9.0, 1.0, 30.0)}),
        sketch(loss={**_BINARY, "reduction": "none"}, batch={"target": _SIGNS}),
        sketch(loss={**_BINARY, "kind": "hinge"}, batch={"target": _SIGNS}),
        sketch(loss=_BINARY, batch={"target": Numbers((64, 1), "float32", 0.0, 1.0, 0.5, 0.5)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        target, loss = _extremes(recording), main_loss(recording)
        limits = _limits(recording, loss) if loss is not None and loss.reduction != "none" else None
        if target is None or limits is None or loss is None:
            return
        (least, largest), (low, high) = target, limits
        if least < low - _TOLERANCE or largest > high + _TOLERANCE:
            yield self.symptom(
                f"The labels range from {least:g} to {largest:g}, but {loss.name} takes {low:g} to {high:g}.",
                step=0,
                site=loss.site,
                least_label=least,
                largest_label=largest,
                allowed=[low, high],
            )


def _limits(recording: Recording, loss: LossFunction) -> tuple[float, float] | None:
    """The range that the labels of a loss must be in; None where that is unknown or PyTorch has checked it."""
    if loss.kind == "binary-cross-entropy":
        return 0.0, 1.0
    if loss.kind not in ("cross-entropy", "nll") or encoding(recording) not in ("index", "binary"):
        return None
    width = class_width(loss, recording.started.framework if recording.started else "torch")
    if width is None or width < 2 or refuses_strange_labels(recording) or _all_finite(recording):
        return None
    return 0.0, float(width - 1)


def _all_finite(recording: Recording) -> bool:
    losses = [step.loss for step in recording.steps if step.loss is not None]
    return bool(losses) and recording.crash is None and all(map(math.isfinite, losses))


def _extremes(recording: Recording) -> tuple[float, float] | None:
    known = known_targets(recording)
    return (min(item.minimum for item in known), max(item.maximum for item in known)) if known else None
