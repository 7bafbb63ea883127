"""label-encoding-mismatch."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import class_width, main_loss
from bugloss.observe.labels import encoding
from bugloss.observe.recording import LossFunction, Recording, Started, Targets
from bugloss.observe.sketch import sketch

_KERAS = Started("keras", "3.15.0", "tensorflow")
_SPARSE = {"name": "sparse_categorical_crossentropy", "from_logits": False}
_CATEGORICAL = {"name": "CategoricalCrossentropy", "from_logits": False}
_ONE_HOT = Targets("one-hot", 10)
_ENCODINGS = {"index": "class indices", "one-hot": "one-hot vectors", "multi-label": "multi-label vectors"}


class LabelEncodingMismatch(Detector):
    """The labels are encoded in another way than the loss expects.

    ## What it finds
    One-hot labels in a sparse cross-entropy, class indices in a categorical one, multi-label vectors in a cross-entropy
    for one class per sample, class indices in a binary cross-entropy with one output per class.

    ## Why it hurts
    The program stops, or the loss compares numbers that mean different things.

    ## How it decides
    By the name of the loss and by the values of the labels: integers, rows with a single 1, rows with several. A single
    output column is left to the other detectors of output layers.

    ## Known problems
    Labels of which the first batches contain only 0 and 1 look binary.

    ## References
    ``keras.losses.SparseCategoricalCrossentropy`` and ``CategoricalCrossentropy``; ``torch.nn.CrossEntropyLoss``.
    """

    name = "label-encoding-mismatch"
    severity = Severity.ERROR
    category = Category.TENSOR
    faulty = (
        sketch(started=_KERAS, loss={**_SPARSE, "target_shape": (64, 10)}, batch={"targets": _ONE_HOT}),
        sketch(started=_KERAS, loss=_CATEGORICAL),
        sketch(loss={"target_shape": (64, 10)}, batch={"targets": Targets("multi-label", 10)}),
    )
    healthy = (
        sketch(),
        sketch(started=_KERAS, loss=_SPARSE),
        sketch(started=_KERAS, loss={**_CATEGORICAL, "target_shape": (64, 10)}, batch={"targets": _ONE_HOT}),
        sketch(loss={"target_shape": (64, 10)}, batch={"targets": _ONE_HOT}),
        sketch(
            loss={"kind": "binary-cross-entropy", "target_shape": (64, 10)},
            batch={"targets": Targets("multi-label", 10)},
        ),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        written = encoding(recording)
        framework = recording.started.framework if recording.started else "torch"
        loss = main_loss(recording)
        if loss is None or (class_width(loss, framework) or 0) < 2:
            return
        problem = _find_problem(loss, written)
        if problem is not None:
            severity, wanted = problem
            yield self.symptom(
                f"{loss.name} takes {wanted}, but the labels are {_ENCODINGS.get(written, written)}.",
                step=0,
                site=loss.site,
                severity=severity,
                loss=loss.name,
                encoding=written,
            )


def _find_problem(loss: LossFunction, written: str) -> tuple[Severity, str] | None:
    """What a loss takes instead of the labels it gets, and how severe that is."""
    name = loss.name.lower()
    flat = len(loss.target_shape) < len(loss.output_shape) or loss.target_shape[-1:] == (1,)
    if loss.kind == "cross-entropy" and written == "multi-label":
        return Severity.WARNING, "one class per sample"
    if "sparse" in name and written == "one-hot" and not flat:
        return Severity.ERROR, "class indices"
    if "categorical" in name and "sparse" not in name and written == "index" and flat:
        return Severity.ERROR, "one-hot labels"
    if loss.kind == "binary-cross-entropy" and written == "index" and flat:
        return Severity.ERROR, "a 0 or 1 for each output"
    return None
