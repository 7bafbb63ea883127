"""labels-compete."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.activation import Gives
from bugloss.core.network.loss import Compares, Reads
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import main_head
from bugloss.observe.labels import encoding
from bugloss.observe.recording import Numbers, Recording, Started, Targets
from bugloss.observe.sketch import sketch

_KERAS = Started("keras", "3.15.0", "tensorflow")
_OUTPUTS = Numbers((64, 6), "float32", 0.01, 0.6, 1 / 6, 0.1)
_LOGITS = Numbers((64, 6), "float32", -2.0, 3.0, 0.2, 1.0)
_PLAIN = {"output_shape": (64, 6), "target_shape": (64, 6)}
_LOSS = {
    "kind": "binary-cross-entropy", "name": "binary_crossentropy", "from_logits": False, "output_shape": (64, 6),
    "target_shape": (64, 6),
}  # fmt: skip
_SEVERAL = Targets(encoding="multi-label", classes=6)
_ONE = Targets(encoding="one-hot", classes=6)


class LabelsCompete(Detector):
    """The outputs add up to one although a sample can have several labels.

    ## What it finds
    A softmax at the output, or a cross-entropy that applies one, with targets that have more than one label set in
    many samples.

    ## Why it hurts
    A softmax shares a probability of one between all labels, so a sample with three labels can give each a third at
    most: none reaches a threshold of one half.

    ## How it decides
    By the targets, which are rows of zeros and ones that often add up to more than one, and by what reaches the loss.

    ## Known problems
    Rows that are normalised to add up to one are a distribution and are not reported.

    ## References
    ``keras.losses.BinaryCrossentropy``, ``torch.nn.BCEWithLogitsLoss``.
    """

    name = "labels-compete"
    severity = Severity.ERROR
    category = Category.MODEL
    faulty = (
        sketch(started=_KERAS, loss=_LOSS, model={"output_activation": "softmax"},
               batch={"outputs": _OUTPUTS, "targets": _SEVERAL}),
        sketch(loss=_PLAIN, batch={"outputs": _LOGITS, "targets": _SEVERAL}),
    )  # fmt: skip
    healthy = (
        sketch(started=_KERAS, loss=_LOSS, model={"output_activation": "sigmoid"},
               batch={"outputs": Numbers((64, 6), "float32", 0.01, 0.9, 0.4, 0.2), "targets": _SEVERAL}),
        sketch(started=_KERAS, loss=_LOSS, model={"output_activation": "softmax"},
               batch={"outputs": _OUTPUTS, "targets": _ONE}),
    )  # fmt: skip

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        head = main_head(recording)
        if head is None or head.row is None or not head.row.classifies or encoding(recording) != "multi-label":
            return
        softmax = head.output.gives is Gives.DISTRIBUTION
        applied = head.row.compares is Compares.CLASSES and head.row.reads is Reads.SCORES
        if softmax or applied:
            how = "a softmax" if softmax else f"the softmax of {head.loss.name}"
            message = f"Samples have several labels, but {how} makes the outputs of a sample add up to one."
            yield self.symptom(message, step=0, site=head.loss.site, loss=head.loss.name)
