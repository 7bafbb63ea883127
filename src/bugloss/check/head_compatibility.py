"""Which last activations suit which losses; the one table behind ``head-loss-mismatch``."""

from __future__ import annotations

from bugloss.check.heads import TrainedHead
from bugloss.check.semantics.keras_training import REGRESSIONS
from bugloss.check.values import Tensor
from bugloss.core.finding import Severity

Complaint = tuple[str, Severity] | None
_UNBOUNDED = {"linear", "relu", "leaky_relu", "elu", "selu", "tanh", "softplus", "gelu", "swish", "silu"}
_POSITIVE_ONLY = {"relu", "relu6", "softplus"}


def complaint(trained: TrainedHead) -> Complaint:
    """Why the head and the loss do not go together, and how bad that is; None when they do or it is not known."""
    if trained.framework == "torch":
        return _torch(trained)
    if trained.framework == "tensorflow":
        return _tensorflow(trained)
    if trained.from_logits is None:
        return None
    if trained.loss in {"categorical_crossentropy", "sparse_categorical_crossentropy"}:
        return _over_classes(trained)
    if trained.loss == "binary_crossentropy":
        return _binary(trained)
    if trained.loss in REGRESSIONS:
        return _regression(trained)
    if trained.loss == "kl_divergence" and trained.head.activation in {"linear", "tanh", "relu"}:
        return f"kl_divergence expects probabilities, but the network ends in {_shown(trained)}", Severity.WARNING
    return None


def _shown(trained: TrainedHead) -> str:
    name = trained.head.activation
    return "a linear layer (no activation)" if name == "linear" else name


def _over_classes(trained: TrainedHead) -> Complaint:
    name, units = trained.head.activation, trained.head.units
    if units == 1:
        message = f"{trained.loss} needs one unit per class, but the network ends in a single {_unit(name)}unit"
        return message, Severity.ERROR
    if trained.from_logits:
        if name in {"softmax", "sigmoid", "log_softmax"}:
            return f"{trained.loss} with from_logits=True expects raw scores, but {name} was applied", Severity.WARNING
        if name in _POSITIVE_ONLY:
            return f"{name} cuts off all negative scores before {trained.loss} reads them", Severity.WARNING
        return None
    if name in _UNBOUNDED:
        message = f"{trained.loss} expects probabilities, but the network ends in {_shown(trained)}"
        return message, Severity.ERROR
    if name == "sigmoid":
        message = f"{trained.loss} expects one distribution over the classes, but sigmoid scores each class by itself"
        return message, Severity.WARNING
    return None


def _unit(activation: str) -> str:
    return "" if activation == "linear" else f"{activation} "


def _binary(trained: TrainedHead) -> Complaint:
    name, units = trained.head.activation, trained.head.units
    if trained.from_logits:
        if name in {"sigmoid", "softmax"}:
            return (
                f"binary_crossentropy with from_logits=True expects raw scores, but {name} was applied",
                Severity.WARNING,
            )
        if name in _POSITIVE_ONLY:
            return f"{name} cuts off all negative scores before binary_crossentropy reads them", Severity.WARNING
        return None
    if name in _UNBOUNDED:
        message = f"binary_crossentropy expects probabilities, but the network ends in {_shown(trained)}"
        return message, Severity.ERROR
    if name == "softmax" and units is not None and units > 1:
        message = (
            f"binary_crossentropy judges each of the {units} softmax classes by itself, and its accuracy is too high"
        )
        return message, Severity.WARNING if units > 2 else Severity.ADVICE
    return None


def _regression(trained: TrainedHead) -> Complaint:
    head, targets = trained.head, trained.targets
    facts = targets.facts if isinstance(targets, Tensor) else frozenset()
    if head.activation == "softmax" and facts & {"one-hot", "class-ids"}:
        return (
            f"{trained.loss} on a softmax over classes learns slowly: wrong answers get almost no gradient",
            Severity.WARNING,
        )
    if head.activation == "relu" and head.units == 1 and head.layer is not None and head.layer.role == "dense":
        if isinstance(targets, Tensor) and targets.interval.low >= 0:
            return None
        message = "a relu on the output unit can give no negative number, and once at zero it gets no gradient"
        return message, Severity.WARNING
    return None


_TORCH: dict[str, dict[str, tuple[str, Severity]]] = {
    "CrossEntropyLoss": {
        "softmax": ("applies log_softmax itself, so softmax is applied twice", Severity.ERROR),
        "sigmoid": ("expects raw scores, but sigmoid squeezes them between 0 and 1", Severity.ERROR),
        "relu": ("expects raw scores, but relu cuts off all negative ones", Severity.WARNING),
        "log_softmax": ("applies log_softmax itself, the one before it does nothing", Severity.ADVICE),
    },
    "NLLLoss": {
        "softmax": ("expects log-probabilities, but gets probabilities from softmax", Severity.ERROR),
        "sigmoid": ("expects log-probabilities, but gets the output of sigmoid", Severity.ERROR),
        "linear": ("expects log-probabilities, but gets raw scores: log_softmax is missing", Severity.ERROR),
        "relu": ("expects log-probabilities, but gets the output of relu", Severity.ERROR),
    },
    "BCELoss": {
        "linear": ("expects probabilities, but gets raw scores: sigmoid is missing", Severity.ERROR),
        "relu": ("expects probabilities, but gets the output of relu, which exceeds 1", Severity.ERROR),
        "tanh": ("expects probabilities, but gets the output of tanh, which can be negative", Severity.ERROR),
        "log_softmax": ("expects probabilities, but gets their logarithms", Severity.ERROR),
    },
    "BCEWithLogitsLoss": {
        "sigmoid": ("applies sigmoid itself, so sigmoid is applied twice", Severity.ERROR),
        "softmax": ("applies sigmoid itself, but gets probabilities from softmax", Severity.ERROR),
        "relu": ("expects raw scores, but relu cuts off all negative ones", Severity.WARNING),
    },
    "KLDivLoss": {
        "softmax": ("expects log-probabilities first, but gets probabilities from softmax", Severity.ERROR),
    },
}  # fmt: skip


def _torch(trained: TrainedHead) -> Complaint:
    head = trained.head
    if head.activation == "linear" and head.layer is None:
        return None
    found = _TORCH.get(trained.loss, {}).get(head.activation)
    return None if found is None else (f"{trained.loss} {found[0]}", found[1])


def _tensorflow(trained: TrainedHead) -> Complaint:
    """``tf.nn.…_with_logits`` applies the softmax or sigmoid itself."""
    name, function = trained.head.activation, trained.place.name.rsplit(".", 1)[-1]
    if name in {"softmax", "sigmoid", "log_softmax"}:
        return f"{function} expects raw scores, but {name} was applied", Severity.ERROR
    if name in _POSITIVE_ONLY:
        return f"{name} cuts off all negative scores before {function} reads them", Severity.WARNING
    return None
