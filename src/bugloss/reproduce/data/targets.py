"""What a loss wants beside a network's output: class indices, one-hot rows, zeros and ones, or values."""

from __future__ import annotations

import ast
import re

from bugloss.core.network.loss import Encoding
from bugloss.core.network.loss import loss as loss_named
from bugloss.reproduce.data.following import Consumption, Following
from bugloss.reproduce.data.spec import DataField, DataMeaning
from bugloss.source.networks.heads import head_of, outputs_of
from bugloss.source.semantics.keras_training import loss_of
from bugloss.source.values.values import Loss, Model, Tensor, Value


def target_field(one: Consumption, following: Following | None, classes: int | None) -> tuple[DataField | None, str]:
    """The target that fits a loss and an output; None where neither is known."""
    loss = _loss(one)
    output: Value | None = one.output
    if one.operation.name.startswith(("Model.", "?.")):
        loss, output = _of_compiled(one.model, following)
    shape = _sample_shape(output)
    units = _units(output, shape) or classes
    if not loss and shape is None:
        return None, ""
    field = _before(_field(loss, shape, units), one)
    return field, f"{loss or 'the loss'} is computed with it"


def _before(field: DataField, one: Consumption) -> DataField:
    """The target before the program reshapes it."""
    for step in one.reshaped:
        name = (step.made_by or "").rsplit(".", 1)[-1]
        longer = name == "getitem" and re.search(r"newaxis|, None\]", ast.unparse(one.operation.node))
        if name == "one_hot" and field.shape:
            field = DataField(DataMeaning.CLASSES, field.shape[:-1], "int64", field.shape[-1])
        elif (name in {"unsqueeze", "expand_dims"} or longer) and field.shape:
            field = field.but(shape=field.shape[:-1])
        elif name == "squeeze" and field.shape[-1:] != (1,):
            field = field.but(shape=(*field.shape, 1))
        elif name in {"view", "reshape", "flatten"} and field.shape[-1:] == (1,):
            field = field.but(shape=field.shape[:-1])
    return field


def _field(loss: str, shape: tuple[int, ...] | None, units: int | None) -> DataField:
    known = loss_named(loss)
    encoding = known.targets if known is not None else Encoding.REALS
    if known is not None and encoding is Encoding.CLASS_NUMBERS:
        # PyTorch puts the classes behind the batch, Keras at the end.
        outer = (shape or ())[1:] if known.class_axis == 1 else (shape or ())[:-1]
        return DataField(DataMeaning.CLASSES, outer, "int64", units or 10)
    if encoding is Encoding.BINARY:
        return DataField(DataMeaning.BINARY, shape if shape is not None else (1,), "float32", 2)
    if encoding in {Encoding.ONE_HOT, Encoding.DISTRIBUTION}:
        width = units or 10
        if width == 1:  # a loss for several classes over one output: the reporter has zeros and ones
            return DataField(DataMeaning.BINARY, shape or (1,), "float32", 2)
        return DataField(DataMeaning.ONE_HOT, shape or (width,), "float32", width)
    return DataField(DataMeaning.VALUES, shape if shape is not None else (1,), "float32", units or 2)


def _loss(one: Consumption) -> str:
    receiver = one.operation.receiver
    if isinstance(receiver, Loss):
        return receiver.kind
    return one.operation.name.rsplit(".", 1)[-1]


def _of_compiled(model: Model | None, following: Following | None) -> tuple[str, Value | None]:
    if model is None or following is None:
        return "", None
    outputs = outputs_of(following.program, model) if model.outputs or model.class_ is not None else []
    output = outputs[0] if outputs else None
    for compiled in model.compiled:
        use = loss_of(compiled.argument(1, "loss"))
        if use is not None:
            return use.name, output
    return "", output


def _sample_shape(output: object) -> tuple[int, ...] | None:
    """The output's shape without the batch, where all of it is known."""
    if not isinstance(output, Tensor) or output.shape is None or not output.shape:
        return None
    sizes = output.shape[1:]
    return (
        tuple(size for size in sizes if isinstance(size, int)) if all(isinstance(size, int) for size in sizes) else None
    )


def _units(output: object, shape: tuple[int, ...] | None) -> int | None:
    if isinstance(output, Tensor):
        head = head_of(output)
        if head is not None and head.units:
            return head.units
    return shape[-1] if shape else None
