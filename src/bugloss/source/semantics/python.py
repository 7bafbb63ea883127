"""Python's own functions and operators on abstract values."""

from __future__ import annotations

import math
from typing import Any

from bugloss.source.follow.flow import element_of
from bugloss.source.follow.interpreter import Semantics
from bugloss.source.semantics.array_ops import clash_of_dtypes, lasting
from bugloss.source.semantics.ranges import TINY, square
from bugloss.source.values.arithmetic import LONGEST, OPERATORS, computed, converted, range_length, repeated
from bugloss.source.values.operation import Call
from bugloss.source.values.shapes import Mismatch, broadcast, matmul, show
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Interval,
    Items,
    Other,
    Table,
    Tensor,
    Value,
    integer_of,
    number_of,
)

_FLOATS = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")


def arithmetic(call: Call) -> Value:
    """``a + b`` and its kin: constants are computed, sequences joined, tensors broadcast."""
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


def negate(call: Call) -> Value:
    tensor = call.positional[0]
    if not isinstance(tensor, Tensor):
        return UNKNOWN
    interval = Interval(-tensor.interval.high, -tensor.interval.low)
    return tensor.with_(interval=interval, made_by="operator.neg", inputs=(tensor,), node=call.node)


def range_(call: Call) -> Value:
    numbers = [number for number in map(integer_of, call.positional) if number is not None]
    if not 1 <= len(call.positional) <= 3 or len(numbers) != len(call.positional) or numbers[2:] == [0]:
        return Other("range", {"range": UNKNOWN}, call.node)
    return Other("range", {"range": Constant(range(*numbers))}, call.node)


def length(call: Call) -> Value:
    value = call.argument(0)
    if isinstance(value, Items):
        return Constant(len(value.items)) if value.complete else UNKNOWN
    if isinstance(value, Constant) and isinstance(value.value, (str, bytes, tuple)):
        return Constant(len(value.value))
    if isinstance(value, Tensor) and value.shape and isinstance(value.shape[0], int):
        return Constant(value.shape[0])
    return UNKNOWN


def zip_(call: Call) -> Value:
    """``zip(a, b)``: pairs, one by one where the sequences are known."""
    parts = call.positional
    if parts and not call.starred and all(isinstance(part, Items) and part.complete for part in parts):
        rows = zip(*(part.items for part in parts if isinstance(part, Items)), strict=False)
        return Items([Items(list(row), True) for row in rows])
    return Other("zip", {"element": Items([element_of(part) for part in parts], True)}, call.node)


def enumerate_(call: Call) -> Value:
    return Other("enumerate", {"of": call.argument(0)}, call.node)


def number(call: Call) -> Value:
    """``int(x)`` and ``float(x)`` of a known number."""
    value = call.argument(0)
    return (
        converted(value.value, int if call.name.endswith("int") else float) if isinstance(value, Constant) else UNKNOWN
    )


def sequence(call: Call) -> Value:
    value = call.argument(0)
    if not call.positional:
        return Items([], call.name.endswith("tuple"))
    if isinstance(value, Items):
        return Items(list(value.items), call.name.endswith("tuple"), value.complete)
    return UNKNOWN


def append(call: Call) -> Value:
    """``items.append(x)``; in a loop that is walked only once the list is no longer known as a whole."""
    owner = call.receiver
    if isinstance(owner, Items):
        owner.items.append(call.argument(0))
        owner.complete = owner.complete and "loop" not in call.inside and len(owner.items) < 256
    return Constant(None)


def dictionary(call: Call) -> Value:
    return Table(dict(call.keywords)) if not call.positional and not call.starred else UNKNOWN


def item(call: Call) -> Value:
    """Indexing a tensor: integers drop an axis, slices keep it, None adds one."""
    owner, key = call.positional
    if isinstance(owner, Other) and owner.kind == "shape":
        return UNKNOWN
    if not isinstance(owner, Tensor):
        return UNKNOWN
    keys = key.items if isinstance(key, Items) and key.is_tuple else [key]
    shape = None if owner.shape is None else _indexed(owner.shape, keys)
    chosen = any(_may_choose(part) for part in keys)
    reordered = chosen or any(isinstance(part, Tensor) for part in keys)
    facts = (lasting(owner) - {"sorted-classes"}) if reordered else lasting(owner)
    # A mask may have picked the elements for their values, so the range no longer holds.
    interval = ANYTHING if chosen else owner.interval
    made = {"made_by": "getitem", "inputs": (owner, key), "node": call.node}
    return owner.with_(shape=shape, interval=interval, facts=facts, **made)


def _may_choose(key: Value) -> bool:
    """Whether a key may be a mask: known numbers, slices, ranges and arrays of integers are none."""
    if isinstance(key, Constant) or (isinstance(key, Other) and key.kind in {"slice", "range"}):
        return False
    return not (isinstance(key, Tensor) and key.dtype is not None and "int" in key.dtype)


def _indexed(shape: tuple[Any, ...], keys: list[Value]) -> tuple[Any, ...] | None:
    rest = list(shape)
    result: list[Any] = []
    for key in keys:
        if isinstance(key, Constant) and key.value is None:
            result.append(1)
        elif isinstance(key, Constant) and key.value is Ellipsis:
            after = sum(not (isinstance(k, Constant) and k.value is None) for k in keys[keys.index(key) + 1 :])
            keep = len(rest) - after
            if keep < 0:
                return None
            result += rest[:keep]
            rest = rest[keep:]
        elif isinstance(number_of(key), int) and rest:
            rest.pop(0)
        elif isinstance(key, Other) and key.kind == "slice" and rest:
            result.append(_sliced(rest.pop(0), key))
        elif isinstance(key, Tensor) and key.rank == 1 and key.shape and rest and len(keys) == 1:
            rest.pop(0)  # an array of indices, or a mask that leaves an unknown number
            result.append(None if key.dtype == "bool" else key.shape[0])
        else:
            return None
    return (*result, *rest)


def _sliced(size: Any, key: Other) -> Any:
    bounds = [key.arguments[name] for name in ("lower", "upper", "step")]
    known = [bound.value if isinstance(bound, Constant) else "?" for bound in bounds]
    if known == [None, None, None]:
        return size
    if not isinstance(size, int) or not all(part is None or isinstance(part, int) for part in known):
        return None
    return range_length(range(*slice(*known).indices(size)))


SEMANTICS: Semantics = {
    **{f"operator.{name}": arithmetic for name in (*OPERATORS, "matmult")},
    "operator.neg": negate,
    "builtins.range": range_,
    "builtins.len": length,
    "builtins.zip": zip_,
    "builtins.enumerate": enumerate_,
    "builtins.int": number,
    "builtins.float": number,
    "builtins.list": sequence,
    "builtins.tuple": sequence,
    "builtins.append": append,
    "builtins.dict": dictionary,
    "getitem": item,
}
