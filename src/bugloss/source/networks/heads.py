"""What a network ends in, and the loss and the targets it is trained with: for Keras and PyTorch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.network import loss as network
from bugloss.source.networks.network import NetworkStep, chain, is_linear
from bugloss.source.program import Program
from bugloss.source.semantics.keras_models import fed_data, flat
from bugloss.source.semantics.keras_training import loss_of
from bugloss.source.values.values import UNKNOWN, Items, Loss, Model, Operation, TableValue, Tensor, Value


@dataclass(frozen=True, slots=True, eq=False)
class NetworkHead:
    """The end of a network: its last activation (``linear`` for none) and the layer that makes the scores."""

    activation: str
    step: NetworkStep | None  # the activation's step, when there is one
    layer: NetworkStep | None  # the dense, convolutional or recurrent layer before it
    tensor: Tensor

    reshaped: bool = False  # something between the layer and the end changes the shape

    @property
    def units(self) -> int | None:
        """How many scores there are for one answer."""
        if self.reshaped:
            last = self.tensor.shape[-1] if self.tensor.shape else None
            return last if isinstance(last, int) else None
        return self.layer.units if self.layer is not None else None

    @property
    def node(self) -> ast.AST:
        step = self.step or self.layer
        return step.node if step is not None else ast.Pass()


@dataclass(frozen=True, slots=True, eq=False)
class TrainedHead:
    """A head with its loss; ``from_logits`` is None when it cannot be known."""

    head: NetworkHead
    loss: network.KnownLoss
    from_logits: bool | None
    place: Operation
    targets: Value = UNKNOWN
    model: Model | None = None

    @property
    def framework(self) -> str:
        return self.loss.framework


def head_of(value: Value) -> NetworkHead | None:
    """How a tensor ends; None when its last steps cannot be followed."""
    activation: NetworkStep | None = None
    reshaped = False
    for step in chain(value):
        reshaped = reshaped or step.role == "reshape"
        if step.role in {"reshape", "same", "dropout"} or is_linear(step):
            continue
        if step.role == "activation" and activation is None:
            if step.name == "?":
                return None
            activation = step
        elif step.role in {"dense", "conv", "recurrent"}:
            return _head(value, activation, step, reshaped)
        else:
            break
    return _head(value, activation, None, reshaped) if activation is not None else None


def _head(
    value: Value, activation: NetworkStep | None, layer: NetworkStep | None, reshaped: bool
) -> NetworkHead | None:
    assert isinstance(value, Tensor)
    return NetworkHead(activation.name if activation is not None else "linear", activation, layer, value, reshaped)


def trained_heads(program: Program) -> list[TrainedHead]:
    """Every head of the file whose loss is known."""
    return program.remembered(_find_trained)


def _find_trained(program: Program) -> list[TrainedHead]:
    return list(_search(program))


def _search(program: Program) -> Iterator[TrainedHead]:
    for model in program.models:
        for compiled in model.compiled:
            yield from _keras_heads(program, model, compiled)
    yield from _called_losses(program)


def outputs_of(program: Program, model: Model) -> list[Value]:
    """A model's outputs; those of another object of the same class when only that one was followed."""
    if model.outputs or model.class_ is None:
        return model.outputs
    return next((other.outputs for other in program.models if other.class_ is model.class_ and other.outputs), [])


def _keras_heads(program: Program, model: Model, compiled: Operation) -> Iterator[TrainedHead]:
    outputs = [part for output in outputs_of(program, model) for part in flat(output)]
    losses = _losses(compiled.argument(1, "loss"), len(outputs))
    targets = _targets(fits_after(program, model, compiled), len(outputs))
    for output, loss, target in zip(outputs, losses, targets, strict=False):
        use, head = loss_of(loss), head_of(output)
        known = network.loss(use.name, "keras") if use is not None else None
        if use is not None and known is not None and head is not None:
            yield TrainedHead(head, known, use.from_logits, compiled, target, model)


def _losses(value: Value, count: int) -> list[Value]:
    if isinstance(value, Items):
        return value.items if len(value.items) == count else []
    if isinstance(value, TableValue):
        return list(value.items.values()) if count == len(value.items) == 1 else []
    return [value] * count


def fits_after(program: Program, model: Model, compiled: Operation) -> list[Operation]:
    """The calls of ``fit`` that a ``compile`` is for: those before the next one."""
    order = program.remembered(_order)
    start = order[id(compiled)]
    later = [order[id(other)] for other in model.compiled if order[id(other)] > start]
    return [fit for fit in model.fitted if start < order[id(fit)] < min(later, default=len(order) + 1)]


def _order(program: Program) -> dict[int, int]:
    return {id(operation): place for place, operation in enumerate(program.operations)}


def _targets(fits: list[Operation], count: int) -> list[Value]:
    """What ``fit`` is given to learn; unknown when there are several."""
    given = [fit.argument(1, "y") if fit.given(1, "y") else fed_data(fit.argument(0, "x"))[1] for fit in fits]
    if len(given) != 1:
        return [UNKNOWN] * count
    if count == 1:
        return given
    return given[0].items if isinstance(given[0], Items) and len(given[0].items) == count else [UNKNOWN] * count


def _called_losses(program: Program) -> Iterator[TrainedHead]:
    for known, operation in torch_losses(program):
        yield from _torch_head(operation, known)
    for known, operation in _objects(program, "keras"):
        yield from _called_keras_loss(operation, known)
    for known, operation in _functions(program, "tensorflow", "tensorflow.nn"):
        head = head_of(operation.argument(-1, "logits"))
        if head is not None:
            yield TrainedHead(head, known, None, operation, operation.argument(-1, "labels"))


def torch_losses(program: Program) -> Iterator[tuple[network.KnownLoss, Operation]]:
    """Every call of a loss of PyTorch, as an object or as a function."""
    yield from _objects(program, "torch")
    yield from _functions(program, "torch", "torch.nn.functional")


def _objects(program: Program, framework: str) -> Iterator[tuple[network.KnownLoss, Operation]]:
    """Calls of losses that are objects."""
    for operation in program.all_calls("Loss.__call__"):
        loss = operation.receiver
        known = network.loss(loss.kind, framework) if isinstance(loss, Loss) and loss.framework == framework else None
        if known is not None:
            yield known, operation


def _functions(program: Program, framework: str, module: str) -> Iterator[tuple[network.KnownLoss, Operation]]:
    """Calls of losses that are functions."""
    for known in network.losses_of(framework):
        for name in (known.name, *known.names):
            yield from ((known, operation) for operation in program.all_calls(f"{module}.{name}"))


def _called_keras_loss(operation: Operation, known: network.KnownLoss) -> Iterator[TrainedHead]:
    """``loss_object(labels, predictions)`` in a hand-written training step."""
    use, head = loss_of(operation.receiver), head_of(operation.argument(1, "y_pred"))
    if use is not None and head is not None:
        targets = operation.argument(0, "y_true")
        yield TrainedHead(head, known, use.from_logits, operation, targets)


def _torch_head(operation: Operation, known: network.KnownLoss) -> Iterator[TrainedHead]:
    head = head_of(operation.argument(0, "input"))
    if head is not None:
        yield TrainedHead(head, known, None, operation, operation.argument(1, "target"))
