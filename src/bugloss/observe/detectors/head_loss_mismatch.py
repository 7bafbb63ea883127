"""head-loss-mismatch."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.fit import Clash, Misfit, misfits
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import RecordedHead, main_head
from bugloss.observe.labels import encoding
from bugloss.observe.recording import Epoch, Numbers, Recording, Started, Targets
from bugloss.observe.sketch import sketch
from bugloss.observe.underperformance import beats_chance

_KERAS = Started("keras", "3.15.0", "tensorflow")
_SOFTMAX = Numbers((64, 10), "float32", 0.01, 0.6, 0.1, 0.1)
_LOGITS = Numbers((64, 10), "float32", -2.0, 3.0, 0.2, 1.0)
_ONE = Numbers((64, 1), "float32", 0.2, 0.8, 0.5, 0.1)
_CATEGORICAL = {"name": "categorical_crossentropy", "from_logits": False}
_BINARY = {"kind": "binary-cross-entropy", "output_shape": (64, 1), "target_shape": (64, 1)}


class HeadLossMismatch(Detector):
    """The output layer does not fit the loss function.

    ## What it finds
    Probabilities in a loss that takes raw scores and applies a softmax or sigmoid itself; raw scores, or probabilities
    that do not exclude each other, in a loss that takes probabilities; values that are not log-probabilities in a
    negative log-likelihood; a softmax over a single unit.

    ## Why it hurts
    A second softmax flattens the scores, so that the loss cannot fall far and gradients are small. The logarithm of a
    value outside 0 to 1 is clipped or NaN and has no gradient.

    ## How it decides
    By the numbers that reach the loss: rows that add up to one come from a softmax, log-probabilities are never above
    zero, probabilities are always between 0 and 1. The name of the last activation decides only where the numbers do
    not contradict it. Values outside the domain of the loss and doubled activations are errors, a doubled one in Keras
    a warning. Probabilities of the wrong kind, such as a sigmoid for each of several classes, are a warning unless the
    model learned its task. For a softmax with a binary loss Keras reports the accuracy of single outputs, which proves
    nothing.

    ## Known problems
    With several models the outputs of a loss cannot be distinguished, so only the values count. Keras undoes a
    softmax before ``from_logits=True`` in some releases.

    ## References
    ``torch.nn.CrossEntropyLoss``, ``NLLLoss``, ``BCEWithLogitsLoss``, ``keras.losses``; UMLAUT (2021); NeuraLint
    (2021).
    """

    name = "head-loss-mismatch"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(model={"output_activation": "softmax"}, batch={"outputs": _SOFTMAX}),
        sketch(batch={"outputs": _SOFTMAX}),
        sketch(loss={"kind": "nll", "name": "NLLLoss"}, batch={"outputs": _LOGITS}),
        sketch(started=_KERAS, loss=_CATEGORICAL, batch={"outputs": _LOGITS}),
        sketch(model={"output_activation": "sigmoid"}, loss={**_BINARY, "from_logits": True}, batch={"outputs": _ONE}),
        sketch(
            model={"output_activation": "softmax"}, loss={**_BINARY, "from_logits": False},
            batch={"outputs": Numbers((64, 1), "float32", 1.0, 1.0, 1.0, 0.0)},
        ),
        sketch(
            started=_KERAS, model={"output_activation": "softmax"},
            loss={"kind": "binary-cross-entropy", "name": "binary_crossentropy", "from_logits": False},
            batch={"outputs": _SOFTMAX, "targets": Targets("one-hot", 10)},
            epochs=(Epoch(0, 49, 0.3, 0.9), Epoch(1, 99, 0.2, 0.95)),
        ),
    )  # fmt: skip
    healthy = (
        sketch(model={"output_activation": "softmax"}, batch={"outputs": _LOGITS}),  # softmax for reading only
        sketch(started=_KERAS, loss=_CATEGORICAL, model={"output_activation": "softmax"}, batch={"outputs": _SOFTMAX}),
        sketch(model={"output_activation": "sigmoid"}, loss={**_BINARY, "from_logits": False}, batch={"outputs": _ONE}),
        sketch(
            model={"output_activation": "log_softmax"}, loss={"kind": "nll", "name": "NLLLoss"},
            batch={"outputs": Numbers((64, 10), "float32", -4.0, -0.1, -2.3, 0.5)},
        ),
        sketch(loss={**_BINARY, "from_logits": True}, batch={"outputs": _ONE}),
        sketch(loss={"kind": "mse", "name": "MSELoss"}, model={"output_activation": "relu"}),
    )  # fmt: skip

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        exclusive = encoding(recording) in ("index", "one-hot", "binary")
        head = main_head(recording)
        if head is None:
            return
        for misfit in _misfits(head, exclusive):
            odd = misfit.severity is Severity.WARNING and _merely_odd(head) and beats_chance(recording)
            odd = odd and not (misfit.clash is Clash.EXCLUSIVE_CLASSES and _counts_each_output(recording))
            yield self.symptom(
                f"{misfit.message}.",
                step=0,
                site=head.loss.site,
                severity=Severity.ADVICE if odd else misfit.severity,
                loss=head.loss.name,
                activation=head.activation.name if head.activation is not None else None,
                least_output=head.least,
                largest_output=head.largest,
            )


def _misfits(head: RecordedHead, exclusive: bool) -> Iterator[Misfit]:
    if head.row is None or not head.row.classifies:
        return
    for misfit in misfits(head.output, head.row, head.loss.from_logits):
        # Labels that may name several classes at once are what a loss over single outputs is for.
        meant = misfit.clash is Clash.EXCLUSIVE_CLASSES and not exclusive
        if misfit.severity is not Severity.ADVICE and not meant:
            yield misfit


def _counts_each_output(recording: Recording) -> bool:
    """Whether accuracies are those of single outputs: Keras chooses that by the loss, and they prove nothing."""
    keras = recording.started is not None and recording.started.framework == "keras"
    return keras and any(epoch.accuracy is not None for epoch in recording.epochs)


def _merely_odd(head: RecordedHead) -> bool:
    """Probabilities of the wrong sort in a loss that takes probabilities: such pairs learn, only less well."""
    return head.loss.from_logits is False and head.within(0, 1) is True
