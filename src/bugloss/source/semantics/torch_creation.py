"""Tensors that PyTorch makes: of a written shape, at random, from data, from arrays."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.source.follow.call import Call
from bugloss.source.semantics.dtypes import dtype_of
from bugloss.source.semantics.literals import literal_numbers, literal_shape
from bugloss.source.semantics.torch_operands import made, tensor_argument
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Interval,
    Items,
    Shape,
    Tensor,
    Value,
    integers_of,
    number_of,
)


def create(interval: Interval, default: str = "float32") -> Callable[[Call], Value]:
    def make(call: Call) -> Value:
        shape = _written_shape(call)
        dtype = dtype_of(call.keywords["dtype"]) if "dtype" in call.keywords else default
        return Tensor("torch", shape, dtype, interval, call.name, (), call.node)

    return make


def _written_shape(call: Call) -> Shape | None:
    if call.starred:
        return None
    if "size" in call.keywords:
        return integers_of(call.keywords["size"])
    if len(call.positional) == 1 and isinstance(call.positional[0], Items):
        return integers_of(call.positional[0])
    if call.positional and all(not isinstance(value, Items) for value in call.positional):
        numbers = [number_of(value) for value in call.positional]
        return tuple(number if isinstance(number, int) else None for number in numbers)
    return None


def randint(call: Call) -> Value:
    """``torch.randint(low, high, size)`` or ``torch.randint(high, size)``."""
    sizes = [index for index, value in enumerate(call.positional) if isinstance(value, Items)]
    written = call.keywords.get("size", call.positional[sizes[0]] if sizes else UNKNOWN)
    bounds = [number_of(value) for value in call.positional[: sizes[0] if sizes else 2]]
    low, high = (0.0, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1]) if len(bounds) == 2 else (None, None)
    interval = Interval(low, high - 1) if low is not None and high is not None else ANYTHING
    return Tensor("torch", integers_of(written), "int64", interval, call.name, (), call.node)


def from_data(call: Call) -> Value:
    """``torch.tensor([...])``: shape, dtype and range of literal data; of a NumPy array what it has."""
    data = call.argument(0, "data")
    if call.name == "torch.Tensor" and number_of(data) is not None:  # sizes, not data
        return Tensor("torch", _written_shape(call), "float32", ANYTHING, call.name, (), call.node)
    dtype = dtype_of(call.keywords["dtype"]) if "dtype" in call.keywords else None
    if isinstance(data, Tensor):
        forced = "float32" if call.name.endswith(("Tensor", "FloatTensor")) else data.dtype
        return Tensor("torch", data.shape, dtype or forced, data.interval, call.name, (data,), call.node)
    numbers = literal_numbers(data)
    interval = Interval(min(numbers), max(numbers)) if numbers else ANYTHING
    if dtype is None and numbers and "dtype" not in call.keywords:
        dtype = "float32" if call.name.endswith("Tensor") or any(isinstance(n, float) for n in numbers) else "int64"
    return Tensor("torch", literal_shape(data), dtype, interval, call.name, (data,), call.node)


def like(interval: Interval) -> Callable[[Call], Value]:
    def make(call: Call) -> Value:
        tensor = tensor_argument(call)
        return made(call, tensor, interval=interval, inputs=())

    return make


def from_numpy(call: Call) -> Value:
    array = call.argument(0)
    if isinstance(array, Tensor):
        return Tensor("torch", array.shape, array.dtype, array.interval, call.name, (array,), call.node)
    return Tensor("torch", made_by=call.name, inputs=(array,), node=call.node)
