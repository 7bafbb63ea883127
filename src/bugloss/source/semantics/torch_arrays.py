"""More of ``torch``: joining and spreading tensors, parameters, distances, functional losses."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.core.network.fit import shape_misfit
from bugloss.core.network.loss import KnownLoss, losses_of
from bugloss.core.network.loss import loss as loss_named
from bugloss.source.follow.call import Call, Semantics
from bugloss.source.semantics import array_ops as arrays
from bugloss.source.semantics import array_shapes, ranges
from bugloss.source.semantics.dtypes import dtype_of
from bugloss.source.semantics.operators import interval_of, interval_of_operation
from bugloss.source.values.shapes import show
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Dim,
    Interval,
    Items,
    Loss,
    Other,
    Tensor,
    Value,
    integers_of,
    number_of,
    text_of,
)


def parameter(call: Call) -> Value:
    """``nn.Parameter(tensor)``: training may give it any value."""
    data = call.argument(0, "data")
    known = data if isinstance(data, Tensor) else Tensor("torch")
    inputs = {"made_by": call.name, "inputs": (data,), "node": call.node, "library": "torch"}
    return known.with_(interval=ANYTHING, facts=frozenset({"parameter"}), **inputs)


def sequence(call: Call) -> Value:
    """``torch.arange``."""
    numbers = [number_of(value) for value in call.positional[:3]]
    known = bool(numbers) and None not in numbers and not call.starred
    whole = known and all(isinstance(number, int) for number in numbers)
    size: Dim = None
    if whole and len(numbers) < 3:
        low, high = (0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
        size = max(0, int(high or 0) - int(low or 0))
    default = "int64" if whole else None
    dtype = dtype_of(call.keywords["dtype"]) if "dtype" in call.keywords else default
    return Tensor("torch", (size,), dtype, ANYTHING, call.name, (), call.node)


def one_hot(call: Call) -> Value:
    base = arrays.subject(call)
    count = number_of(arrays.option(call, 0, "num_classes") or UNKNOWN)
    shape = arrays.shape_of(base)
    size: Dim = count if isinstance(count, int) and count > 0 else None
    whole = None if shape is None else (*shape, size)
    return arrays.made(call, base, shape=whole, dtype="int64", interval=ranges.UNIT, facts=frozenset({"one-hot"}))


def expanded(call: Call) -> Value:
    """``x.expand(-1, 4)``: only axes of length one are spread."""
    base = arrays.subject(call)
    others = arrays.rest(call)
    wanted = integers_of(others[0] if len(others) == 1 and isinstance(others[0], Items) else Items(others))
    shape = arrays.shape_of(base)
    if wanted is None or shape is None or call.starred or len(wanted) < len(shape):
        return arrays.moved(call, base, shape=None)
    padded = (1,) * (len(wanted) - len(shape)) + shape
    whole = tuple(old if new == -1 else new for old, new in zip(padded, wanted, strict=True))
    return arrays.moved(call, base, shape=whole, facts=arrays.lasting(base) | {"non-contiguous"})


def shapeless(call: Call) -> Value:
    """The elements stay, their arrangement is not followed."""
    return arrays.moved(call, arrays.subject(call), shape=None)


def masked_fill(call: Call) -> Value:
    return arrays.made(call, arrays.subject(call), interval=ANYTHING)


def pieces(call: Call) -> Value:
    """``split`` and ``chunk``: parts of unknown length along the first axis; other axes are not followed."""
    base = arrays.subject(call)
    first = arrays.option(call, 1, "dim")
    if not isinstance(base, Tensor) or not base.shape or first is not None:
        return UNKNOWN
    part = arrays.moved(call, base, shape=("batch", *base.shape[1:]))
    return Other("pieces", {"element": part}, call.node)


def permutation(call: Call) -> Value:
    size = number_of(call.argument(0, "n"))
    length: Dim = size if isinstance(size, int) else None
    return Tensor("torch", (length,), "int64", Interval(0.0), call.name, (), call.node, frozenset({"random"}))


def power(call: Call) -> Value:
    base, exponent = arrays.subject(call), arrays.option(call, 0, "exponent") or UNKNOWN
    interval = ranges.square(interval_of(base)) if number_of(exponent) == 2 else ANYTHING
    if number_of(exponent) != 2:
        interval = interval_of_operation("pow", interval_of(base), interval_of(exponent))
    return arrays.made(call, base, interval=interval, inputs=(base, exponent))


def loss_value(call: Call) -> Value:
    """What a loss returns: one number, unless it does not reduce."""
    loss = call.receiver
    if isinstance(loss, Loss) and loss.framework != "torch":
        return UNKNOWN
    known = loss_named(loss.kind if isinstance(loss, Loss) else call.name, "torch")
    options = loss.arguments if isinstance(loss, Loss) else call.keywords
    reduction = text_of(options["reduction"]) if "reduction" in options else "mean"
    prediction = call.argument(0, "input")
    by_element = isinstance(prediction, Tensor) and known is not None and known.regresses
    whole = prediction.shape if isinstance(prediction, Tensor) and by_element else None
    shape = whole if reduction == "none" else () if reduction in {"mean", "sum"} else None
    _check_shapes(call, known, prediction, call.argument(1, "target"))
    interval = ranges.NOT_NEGATIVE if known is not None and known.never_negative else ANYTHING
    made_by = f"loss {known.name if known is not None else ''}"
    return Tensor("torch", shape, None, interval, made_by, tuple(call.positional), call.node)


def _check_shapes(call: Call, known: KnownLoss | None, prediction: Value, target: Value) -> None:
    shapes = [value.shape for value in (prediction, target) if isinstance(value, Tensor) and value.shape is not None]
    if known is not None and len(shapes) == 2:
        reason = shape_misfit(known, *shapes)
        if reason:
            call.conflict("shape", f"{reason}, but gets {show(shapes[0])} and {show(shapes[1])}", shapes=tuple(shapes))


def of_unknown(meaning: Callable[[Call], Value]) -> Callable[[Call], Value]:
    """A method that only tensors have says that its unknown receiver is a tensor, in a file that uses PyTorch."""

    def apply(call: Call) -> Value:
        if "torch" not in call.interpreter.names.roots:
            return UNKNOWN
        tensor = Tensor("torch")
        inner = Call(call.name, call.node, call.positional, call.keywords, call.inside, tensor, UNKNOWN, call.starred)
        inner.interpreter = call.interpreter
        return meaning(inner)

    return apply


_ONLY_TENSORS: dict[str, Callable[[Call], Value]] = {
    "sigmoid": arrays.elementwise(ranges.always(ranges.UNIT)),
    "softmax": arrays.elementwise(ranges.always(ranges.UNIT)),
    "log_softmax": arrays.elementwise(ranges.always(Interval(high=0.0))),
    "relu": arrays.elementwise(ranges.always(ranges.NOT_NEGATIVE)),
    "long": lambda call: arrays.made(call, call.receiver, dtype="int64"),
}

SEMANTICS: Semantics = {
    **{f"?.{name}": of_unknown(meaning) for name, meaning in _ONLY_TENSORS.items()},
    "Loss.__call__": loss_value,
    **{f"torch.nn.functional.{name}": loss_value for row in losses_of("torch") for name in row.names},
    "torch.nn.Parameter": parameter,
    "torch.nn.parameter.Parameter": parameter,
    "torch.autograd.Variable": arrays.unchanged,
    "torch.arange": sequence,
    "torch.randperm": permutation,
    "torch.pow": power,
    "Tensor.pow": power,
    "torch.cumsum": lambda call: arrays.made(call, arrays.subject(call), interval=ANYTHING),
    "Tensor.cumsum": lambda call: arrays.made(call, arrays.subject(call), interval=ANYTHING),
    "torch.nn.functional.one_hot": one_hot,
    "torch.stack": array_shapes.stacked,
    "torch.where": arrays.where,
    "torch.maximum": arrays.extremes(True),
    "torch.minimum": arrays.extremes(False),
    "torch.dot": array_shapes.matrix_product,
    "torch.logsumexp": arrays.reduction(ranges.always(ANYTHING)),
    "torch.expm1": arrays.elementwise(ranges.shifted_exponential),
    "torch.sin": arrays.elementwise(ranges.always(Interval(-1, 1))),
    "torch.cos": arrays.elementwise(ranges.always(Interval(-1, 1))),
    "torch.rsqrt": arrays.elementwise(ranges.always(ranges.POSITIVE)),
    "torch.reciprocal": arrays.elementwise(ranges.always(ANYTHING)),
    "torch.nan_to_num": arrays.elementwise(ranges.always(ANYTHING)),
    "torch.nn.functional.logsigmoid": arrays.elementwise(ranges.always(Interval(high=0.0))),
    "torch.nn.functional.normalize": arrays.elementwise(ranges.always(Interval(-1, 1))),
    "torch.linalg.norm": arrays.reduction(ranges.always(ranges.NOT_NEGATIVE)),
    "torch.nn.functional.cosine_similarity": lambda call: Tensor(
        "torch", None, None, Interval(-1, 1), call.name, tuple(call.positional), call.node
    ),
    **{
        f"Tensor.{name}": meaning
        for name, meaning in {
            "expand": expanded,
            "expand_as": shapeless,
            "repeat": shapeless,
            "gather": shapeless,
            "index_select": shapeless,
            "masked_select": lambda call: arrays.made(call, arrays.subject(call), shape=None, interval=ANYTHING),
            "masked_fill": masked_fill,
            "masked_fill_": masked_fill,
            "chunk": pieces,
            "split": pieces,
            "type": arrays.cast,
            "type_as": lambda call: arrays.moved(call, arrays.subject(call), dtype=None),
            "new_zeros": lambda call: Tensor("torch", made_by=call.name, node=call.node),
            "logsumexp": arrays.reduction(ranges.always(ANYTHING)),
            "expm1": arrays.elementwise(ranges.shifted_exponential),
            "nan_to_num": arrays.elementwise(ranges.always(ANYTHING)),
            "dot": array_shapes.matrix_product,
            "item": lambda call: UNKNOWN,
            "tolist": lambda call: UNKNOWN,
            "backward": lambda call: UNKNOWN,
        }.items()
    },
    **dict.fromkeys(("torch.gather", "torch.index_select", "torch.roll", "torch.flip"), shapeless),
}
