"""``a + b`` and the other binary operators on abstract values: constants, sequences, shapes, dtypes and ranges."""

from __future__ import annotations

import math

from bugloss.source.follow.call import Call
from bugloss.source.semantics.dtypes import clash_of_dtypes
from bugloss.source.semantics.ranges import TINY, square
from bugloss.source.values.arithmetic import LONGEST, computed, repeated
from bugloss.source.values.shapes import Mismatch, broadcast, matmul, show
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Interval,
    Items,
    Tensor,
    Value,
    number_of,
)

_FLOATS = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")


def arithmetic(call: Call) -> Value:
    """``a + b`` and other operators: constants are computed, sequences joined, tensors broadcast."""
    kind = call.name.removeprefix("operator.")
    left, right = call.positional
    if isinstance(left, Constant) and isinstance(right, Constant):
        return computed(kind, left.value, right.value)
    if isinstance(left, Items) and isinstance(right, Items) and kind == "add":
        if len(left.items) + len(right.items) > LONGEST:
            return UNKNOWN
        return Items(left.items + right.items, left.is_tuple, left.complete and right.complete)
    if isinstance(left, Items) and kind == "mult" and isinstance(number_of(right), int):
        return repeated(left, int(number_of(right) or 0))
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return _tensors(call, kind, left, right)
    return UNKNOWN


def _tensors(call: Call, kind: str, left: Value, right: Value) -> Value:
    tensor = left if isinstance(left, Tensor) else right
    assert isinstance(tensor, Tensor)
    shapes = [
        value.shape if isinstance(value, Tensor) else () if number_of(value) is not None else None
        for value in (left, right)
    ]
    try:
        shape = matmul(*shapes) if kind == "matmult" else broadcast(*shapes)
    except Mismatch:
        word = "multiplied as matrices" if kind == "matmult" else "combined element by element"
        call.conflict("shape", f"{show(shapes[0])} and {show(shapes[1])} cannot be {word}", shapes=tuple(shapes))
        shape = None
    clash = clash_of_dtypes(call, left, right)
    symbolic = frozenset(
        fact for value in (left, right) if isinstance(value, Tensor) for fact in value.facts & {"symbolic"}
    )
    return Tensor(
        _stronger(left, right) or tensor.library,
        shape,
        None if clash else result_dtype(left, right, kind),
        square(interval_of(left))
        if kind == "mult" and left is right
        else interval_of_operation(kind, interval_of(left), interval_of(right)),
        made_by=call.name,
        inputs=(left, right),
        node=call.node,
        facts=symbolic,
    )


def _stronger(left: Value, right: Value) -> str | None:
    """A framework's tensor with a NumPy array gives a tensor of the framework."""
    libraries = {value.library for value in (left, right) if isinstance(value, Tensor)} - {"numpy"}
    return libraries.pop() if len(libraries) == 1 else None


def result_dtype(left: Value, right: Value, kind: str = "add") -> str | None:
    """The wider of two dtypes; a Python number widens integers only; a quotient is never an integer."""
    tensors = [value for value in (left, right) if isinstance(value, Tensor)]
    frameworks = [tensor for tensor in tensors if tensor.library != "numpy"]
    if frameworks and len(frameworks) < len(tensors):  # TensorFlow converts the array to the tensor's type
        return frameworks[0].dtype if frameworks[0].library in {"tensorflow", "keras"} else None
    types = [tensor.dtype for tensor in tensors if tensor.dtype is not None]
    if len(types) != len(tensors) or not types:
        return None
    widest = max(types, key=lambda name: _FLOATS.index(name) if name in _FLOATS else -1)
    numbers = [value for value in (left, right) if not isinstance(value, Tensor)]
    if "float" in widest or not (kind == "div" or any(isinstance(number_of(n), float) for n in numbers)):
        return widest if not numbers or number_of(numbers[0]) is not None or "float" in widest else None
    return "float64" if tensors[0].library == "numpy" else "float32"


def interval_of(value: Value) -> Interval:
    """The range of a number or tensor."""
    number = number_of(value)
    if number is not None:
        return Interval(float(number), float(number)) if math.isfinite(number) else ANYTHING
    return value.interval if isinstance(value, Tensor) else ANYTHING


def interval_of_operation(kind: str, left: Interval, right: Interval) -> Interval:
    """Interval arithmetic for the four operations; anything else is open."""
    if kind == "pow" and right.low == right.high and right.low in {2, 4}:
        return square(left if right.low == 2 else square(left))
    if not (left.known and right.known):
        return ANYTHING
    try:
        if kind == "add":
            return Interval(left.low + right.low, left.high + right.high)
        if kind == "sub":
            return Interval(left.low - right.high, left.high - right.low)
        if kind == "mult":
            return _corners([_times(a, b) for a in (left.low, left.high) for b in (right.low, right.high)])
        if kind == "div" and (right.low > 0 or right.high < 0):
            return _corners([_over(a, b) for a in (left.low, left.high) for b in (right.low, right.high)])
    except (OverflowError, ValueError):
        return ANYTHING
    return ANYTHING


def _times(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else _never_zero(a * b, a, b)


def _over(a: float, b: float) -> float:
    if math.isinf(a) and math.isinf(b):
        return math.nan
    return 0.0 if a == 0 else _never_zero(a / b, a, b)


def _never_zero(result: float, a: float, b: float) -> float:
    """Bounds above zero stay above zero, however small."""
    return result or math.copysign(TINY, a) * math.copysign(1.0, b)


def _corners(values: list[float]) -> Interval:
    return ANYTHING if any(math.isnan(value) for value in values) else Interval(min(values), max(values))
