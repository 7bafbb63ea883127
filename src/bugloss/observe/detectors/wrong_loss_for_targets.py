"""wrong-loss-for-targets."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.activation import Gives
from bugloss.core.network.loss import regresses
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import RecordedHead, main_head
from bugloss.observe.labels import encoding, known_targets
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import Numbers, Recording, Started, Targets
from bugloss.observe.sketch import sketch

Problem = tuple[Severity, str]

_KERAS = Started("keras", "3.15.0", "tensorflow")
_REAL = Numbers((64, 1), "float32", -2.5, 2.7, 0.1, 1.0)
_MSE = {"kind": "mse", "name": "MSELoss"}
_SUM_TOLERANCE = 1e-3  # probabilities in single precision add up to one within this
_SOFT = Numbers((64, 10), "float32", 0.01, 0.91, 0.1, 0.27)


class WrongLossForTargets(Detector):
    """The loss function does not fit the targets.

    ## What it finds
    A cross-entropy for targets that are real numbers, a squared or absolute error over classes, a binary cross-entropy
    over classes that exclude each other.

    ## Why it hurts
    A cross-entropy of values that are not probabilities has no meaning. A squared error of class indices treats class 9
    as closer to class 8 than to class 1; with one output per class it learns, but slowly, because its gradient vanishes
    where the model is confident and wrong.

    ## How it decides
    By the values of the targets: real numbers whose rows do not add up to one cannot be classes. That is an error for a
    cross-entropy. Classes under a squared error work more or less and are a warning only where the model does not
    learn, advice otherwise.

    ## Known problems
    Counts and ratings are whole numbers too, so that a squared error on one output is advice at most.

    ## References
    TheDeepChecker (2023); DeepFD (2022), fault "loss function".
    """

    name = "wrong-loss-for-targets"
    severity = Severity.ERROR
    category = Category.TRAINING
    faulty = (
        sketch(
            started=_KERAS, loss={"name": "categorical_crossentropy", "output_shape": (64, 1), "target_shape": (64, 1)},
            batch={"targets": Targets("real"), "target": _REAL},
        ),
        sketch([0.09] * 100, loss={**_MSE, "target_shape": (64, 10)}, batch={"targets": Targets("one-hot", 10)}),
        sketch(
            loss={**_MSE, "output_shape": (64, 1)}, model={"output_activation": "sigmoid"},
            batch={"outputs": Numbers((64, 1), "float32", 0.1, 0.9, 0.5, 0.2)},
        ),
    )  # fmt: skip
    healthy = (
        sketch(),
        sketch(loss={**_MSE, "output_shape": (64, 1)}, batch={"targets": Targets("real"), "target": _REAL}),
        sketch(loss={"target_shape": (64, 10)}, batch={"targets": Targets("real"), "target": _SOFT}),
        sketch(
            loss={"kind": "binary-cross-entropy", "output_shape": (64, 784), "target_shape": (64, 784)},
            batch={"targets": Targets("real"), "target": Numbers((64, 784), "float32", 0.0, 1.0, 0.13, 0.3)},
        ),
    )  # fmt: skip

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        written, head = encoding(recording), main_head(recording)
        problem = _find_problem(recording, head, written) if head is not None else None
        if problem is None or head is None:
            return
        severity, text = problem
        yield self.symptom(
            f"{head.loss.name} {text}.",
            step=0,
            site=head.loss.site,
            severity=severity,
            loss=head.loss.name,
            encoding=written,
            outputs=head.width,
        )


def _find_problem(recording: Recording, head: RecordedHead, written: str) -> Problem | None:
    if head.loss.kind == "cross-entropy" and written == "real" and not _distributions(recording, head):
        return Severity.ERROR, "is for classes, but the targets are real numbers"
    width = head.width or 0
    if regresses(head.loss.kind) and written in ("one-hot", "index", "binary"):
        return _of_classes(recording, head, written, width)
    if head.loss.kind == "binary-cross-entropy" and written == "one-hot" and width > 2:
        return Severity.ADVICE, f"treats {width} classes as independent, but each sample belongs to only one of them"
    return None


def _of_classes(recording: Recording, head: RecordedHead, written: str, width: int) -> Problem | None:
    squeezed = head.output.gives in {Gives.DISTRIBUTION, Gives.PROBABILITY}
    severity = alarm_if_struggling(recording)
    if written == "one-hot" and width > 1:
        return severity, f"is for real numbers, but the targets are one-hot vectors of {width} classes"
    if squeezed and written in ("index", "binary"):
        return severity, "is for real numbers, but the outputs are probabilities and the targets are classes"
    return None


def _distributions(recording: Recording, head: RecordedHead) -> bool:
    """Whether the targets of a sample may add up to one, or are not known well enough to say that they do not."""
    targets = known_targets(recording)
    if not targets or not head.width:
        return True
    if any(item.minimum < 0 or item.maximum > 1 + _SUM_TOLERANCE for item in targets):
        return False
    return any(abs(item.mean * head.width - 1) <= _SUM_TOLERANCE for item in targets)
