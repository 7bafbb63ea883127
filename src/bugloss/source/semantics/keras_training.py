"""Keras losses, optimizers, metrics and callbacks as objects, and how a loss is called whatever way it was given."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bugloss.core.network.loss import loss as loss_named
from bugloss.core.network.optimizer import optimizer as optimizer_named
from bugloss.source.follow.call import Call, Semantics
from bugloss.source.values.values import (
    UNKNOWN,
    Constant,
    Items,
    Loss,
    Optimizer,
    Other,
    Reference,
    Value,
    text_of,
    truth_of,
)

_PARAMETERS = {
    "Constant": ("value",),
    "EarlyStopping": ("monitor", "min_delta", "patience", "verbose", "mode", "baseline", "restore_best_weights"),
    "ModelCheckpoint": ("filepath", "monitor", "verbose", "save_best_only", "save_weights_only", "mode"),
    "ReduceLROnPlateau": ("monitor", "factor", "patience", "verbose", "mode"),
}


@dataclass(frozen=True, slots=True)
class LossUse:
    """A loss by its name in one spelling; ``from_logits`` is None when it cannot be known."""

    name: str
    from_logits: bool | None = False


def spelled(name: str) -> str:
    """One spelling for a loss: ``MSE`` and ``MeanSquaredError`` are ``mean_squared_error``."""
    known = loss_named(name, "keras")
    return known.name if known is not None else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def loss_of(value: Value) -> LossUse | None:
    """What is known of a loss argument: a text, a function of the library, or an object; None for anything else."""
    if isinstance(value, Loss) and value.framework == "keras":
        logits = value.arguments.get("from_logits", Constant(False))
        return LossUse(value.kind, truth_of(logits))
    name = text_of(value)
    if name is not None:
        return LossUse(spelled(name))
    if isinstance(value, Reference) and value.name.startswith(("keras.losses.", "keras.objectives.", "keras.metrics.")):
        return LossUse(spelled(value.name.rsplit(".", 1)[-1]))
    return None


def make_loss(call: Call) -> Value:
    name = call.name.rsplit(".", 1)[-1]
    if not name[:1].isupper():
        return UNKNOWN
    arguments = dict(call.keywords)
    if call.positional and name.endswith("Crossentropy"):
        arguments["from_logits"] = call.positional[0]
    if call.starred:
        arguments.setdefault("from_logits", UNKNOWN)
    loss = Loss("keras", spelled(name), arguments, call.node)
    call.interpreter.losses.append(loss)
    return loss


def make_optimizer(call: Call) -> Value:
    if optimizer_named(call.name) is None:
        return UNKNOWN
    arguments = dict(call.keywords)
    if call.positional:
        arguments["learning_rate"] = call.positional[0]
    optimizer = Optimizer("keras", call.name, arguments, call.node)  # type: ignore[arg-type]
    call.interpreter.optimizers.append(optimizer)
    return optimizer


def make_object(call: Call) -> Value:
    """Metrics, callbacks and initializers keep their arguments."""
    name = call.name.rsplit(".", 1)[-1]
    if not name[:1].isupper():
        return UNKNOWN
    arguments = dict(zip(_PARAMETERS.get(name, ()), call.positional, strict=False)) | call.keywords
    return Other(call.name, arguments, call.node)


def metrics_of(value: Value) -> list[Value]:
    """The metrics of a ``compile`` call one by one."""
    if isinstance(value, Items):
        return [inner for item in value.items for inner in metrics_of(item)]
    return [] if isinstance(value, Constant) and value.value is None else [value]


def metric_name(value: Value) -> str | None:
    """How a metric is called in the logs: its text, the ``name`` it was given, or its class's name in lower case."""
    if isinstance(value, Other) and value.kind.startswith("keras.metrics."):
        if "name" in value.arguments:
            return text_of(value.arguments["name"])
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", value.kind.rsplit(".", 1)[-1]).lower()
    if isinstance(value, Reference) and value.name.startswith(("keras.metrics.", "keras.losses.")):
        return value.name.rsplit(".", 1)[-1]
    return text_of(value)


SEMANTICS: Semantics = {
    "keras.losses.*": make_loss,
    "keras.optimizers.*": make_optimizer,
    "keras.initializers.*": make_object,
    "keras.metrics.*": make_object,
    "keras.callbacks.*": make_object,
}
