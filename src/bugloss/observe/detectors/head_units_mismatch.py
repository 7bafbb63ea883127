"""head-units-mismatch."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import classifies
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import main_head, refuses_strange_labels
from bugloss.observe.labels import class_count, data_of, encoding
from bugloss.observe.recording import Recording, Started, Targets
from bugloss.observe.sketch import sketch

_ENOUGH = 10  # samples for each output unit before an unused one means anything
_KERAS = Started("keras", "3.15.0", "tensorflow")
_FIVE = Targets("index", 5, {str(label): 100 for label in range(5)})
_THREE = Targets("index", 3, {"0": 200, "1": 200, "2": 200})


class HeadUnitsMismatch(Detector):
    """The number of outputs does not fit the number of classes.

    ## What it finds
    Fewer outputs than classes, a single output for a loss over classes or for more than two classes, and outputs that
    no label uses.

    ## Why it hurts
    A class without an output cannot be predicted: the program stops, or the loss becomes NaN or meaningless. Unused
    outputs do little harm, but often indicate that labels or data are not the intended ones.

    ## How it decides
    The width of the outputs is compared with the largest label. Too few outputs are an error, unless PyTorch accepted
    the labels: then they are ignored by ``ignore_index``. Too many are advice, and only when the labels of all samples
    are known and there are ten samples for each output.

    ## Known problems
    Pixel-wise and token-wise labels are compared only where the outputs are too few.

    ## References
    Theia (2023); TheDeepChecker (2023).
    """

    name = "head-units-mismatch"
    severity = Severity.ERROR
    category = Category.MODEL
    faulty = (
        sketch(started=_KERAS, loss={"output_shape": (64, 5)}),
        sketch([math.nan] * 3, loss={"output_shape": (64, 5)}),
        sketch(
            started=_KERAS, batch={"targets": _FIVE}, data={"targets": _FIVE},
            loss={"kind": "binary-cross-entropy", "from_logits": False, "output_shape": (64, 1)},
        ),
        sketch(batch={"targets": _THREE}, data={"targets": _THREE, "samples": 600}),
    )  # fmt: skip
    healthy = (
        sketch(),
        sketch(loss={"output_shape": (64, 5)}),  # PyTorch would have stopped: the label is one to ignore
        sketch(batch={"targets": Targets("index", 8, {"3": 30, "7": 34})}),
        sketch(
            loss={"kind": "binary-cross-entropy", "output_shape": (64, 1)},
            batch={"targets": Targets("binary", 2, {"0": 30, "1": 34})},
        ),
        sketch(loss={"kind": "mse", "name": "MSELoss", "output_shape": (64, 1)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        classes, written = class_count(recording), encoding(recording)
        head = main_head(recording)
        if classes is None or written not in ("index", "binary", "one-hot") or head is None or head.width is None:
            return
        if not classifies(head.loss.kind):
            return
        severity = _severity(recording, head.loss.kind, head.width, classes, written)
        if severity is not None:
            yield self.symptom(
                f"The model has {head.width} outputs, but the labels contain {classes} classes.",
                step=0,
                site=head.loss.site,
                severity=severity,
                outputs=head.width,
                classes=classes,
            )


def _severity(recording: Recording, kind: str, width: int, classes: int, written: str) -> Severity | None:
    if width == 1 and kind == "binary-cross-entropy":
        return Severity.ERROR if classes > 2 and written == "index" else None
    if width < classes and kind != "binary-cross-entropy":
        return None if refuses_strange_labels(recording) else Severity.ERROR
    data = data_of(recording, "train")
    whole = data is not None and data.targets is not None and (data.samples or 0) >= _ENOUGH * width
    flat = all(len(loss.target_shape) == 1 for loss in recording.losses)
    return Severity.ADVICE if width > classes and whole and flat and written == "index" else None
