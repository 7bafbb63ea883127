"""Element-wise functions and reductions as NumPy and TensorFlow share them: the array, ``axis``, ``keepdims``."""

from __future__ import annotations

import math
from collections.abc import Callable

from bugloss.source.follow.call import Call
from bugloss.source.semantics.binding import library_of
from bugloss.source.semantics.dtypes import dtype_of
from bugloss.source.semantics.operators import arithmetic
from bugloss.source.semantics.ranges import TINY, clipped
from bugloss.source.values.shapes import Mismatch, broadcast, positive_axis, show
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Interval,
    Shape,
    Tensor,
    Value,
    integers_of,
    number_of,
    truth_of,
)

Meaning = Callable[[Call], Value]
_SUBJECT = ("a", "x", "input", "tensor", "input_tensor", "value", "arr", "logits", "features", "params")
# What stays true of an array when its elements are moved, cut or cast but not computed with.
_LASTING = {
    "one-hot",
    "class-ids",
    "unscaled-image",
    "unscaled-table",
    "random",
    "held-out",
    "sorted-classes",
    "symbolic",
}


def lasting(value: Value) -> frozenset[str]:
    """Facts that survive when elements are moved, cut or cast."""
    if not isinstance(value, Tensor):
        return frozenset()
    return frozenset(fact for fact in value.facts if fact in _LASTING or ":" in fact)


def subject(call: Call) -> Value:
    """What an operation works on: the receiver of a method, or the first argument."""
    if isinstance(call.receiver, Tensor):
        return call.receiver
    if call.positional:
        return call.positional[0]
    return next((call.keywords[name] for name in _SUBJECT if name in call.keywords), UNKNOWN)


def rest(call: Call) -> list[Value]:
    """The positional arguments after the array."""
    return call.positional if isinstance(call.receiver, Tensor) else call.positional[1:]


def written_shape(value: Value) -> Shape | None:
    """A shape given as a number or as a sequence of numbers."""
    number = number_of(value)
    return (number,) if isinstance(number, int) else integers_of(value)


def drawn_range(call: Call, position: int, low: str, high: str) -> Interval:
    """What a uniform distribution draws from: two arguments from a position on, else 0 and 1."""
    least = number_of(call.argument(position, low)) if call.given(position, low) else 0.0
    most = number_of(call.argument(position + 1, high)) if call.given(position + 1, high) else 1.0
    return Interval(least, most) if least is not None and most is not None else ANYTHING


def option(call: Call, position: int, *names: str) -> Value | None:
    """An argument after the array, by keyword or position; None when it was not written."""
    for name in names:
        if name in call.keywords:
            return call.keywords[name]
    others = rest(call)
    return others[position] if 0 <= position < len(others) else None


def made(call: Call, base: Value, **changes: object) -> Tensor:
    """The result of an operation on a value, of the library whose function it is."""
    library = base.library if isinstance(call.receiver, Tensor) and isinstance(base, Tensor) else library_of(call.name)
    tensor = base if isinstance(base, Tensor) else Tensor(library)
    kept = {"library": library, "made_by": call.name, "inputs": (base,), "node": call.node, "facts": frozenset()}
    return tensor.with_(**{**kept, **changes})


def moved(call: Call, base: Value, **changes: object) -> Tensor:
    """Like ``made`` for operations that compute nothing: what was known of the elements stays known."""
    return made(call, base, **{"facts": lasting(base), **changes})


def shape_of(value: Value) -> Shape | None:
    if isinstance(value, Tensor):
        return value.shape
    return () if number_of(value) is not None else None


# ── element by element ──────────────────────────────────────────────────────────────────────────────────────


def elementwise(ranged: Callable[[Interval], Interval], dtype: str | None = None) -> Meaning:
    def apply(call: Call) -> Value:
        base = subject(call)
        number = number_of(base)
        before = base.interval if isinstance(base, Tensor) else _point(number) if number is not None else ANYTHING
        known = base.dtype if isinstance(base, Tensor) else None
        return made(call, base, interval=ranged(before), dtype=dtype or known, shape=shape_of(base))

    return apply


def floating(ranged: Callable[[Interval], Interval]) -> Meaning:
    """``log``, ``sqrt``, ``mean`` …: integers become floats."""
    inner = elementwise(ranged)

    def apply(call: Call) -> Value:
        result = inner(call)
        assert isinstance(result, Tensor)
        return result.with_(dtype="float64") if result.dtype and "int" in result.dtype else result

    return apply


def _point(number: float) -> Interval:
    return ANYTHING if math.isnan(number) else Interval(number, number)


def operator(kind: str) -> Meaning:
    """``np.add(a, b)`` and ``tf.divide(a, b)`` mean what the operators mean."""

    def apply(call: Call) -> Value:
        operands = [subject(call), *rest(call), *(call.keywords[name] for name in ("y", "x2") if name in call.keywords)]
        if len(operands) < 2:
            return UNKNOWN
        inner = Call(f"operator.{kind}", call.node, operands[:2], {}, call.inside, interpreter=call.interpreter)
        result = arithmetic(inner)
        if not isinstance(result, Tensor):
            return result
        return result.with_(made_by=call.name, library=library_of(call.name) or result.library)

    return apply


def extremes(larger: bool) -> Meaning:
    """``maximum(x, 1e-7)`` and ``minimum``: a known bound holds for the result."""

    def apply(call: Call) -> Value:
        first, second = subject(call), option(call, 0, "y", "x2", "other") or UNKNOWN
        a, b = _range(first), _range(second)
        interval = (
            Interval(max(a.low, b.low), max(a.high, b.high))
            if larger
            else Interval(min(a.low, b.low), min(a.high, b.high))
        )
        base = first if isinstance(first, Tensor) else second
        return made(call, base, interval=interval, shape=_broadcast(call, first, second), inputs=(first, second))

    return apply


def _range(value: Value) -> Interval:
    number = number_of(value)
    if number is not None:
        return _point(number)
    return value.interval if isinstance(value, Tensor) else ANYTHING


def _broadcast(call: Call, first: Value, second: Value) -> Shape | None:
    shapes = (shape_of(first), shape_of(second))
    try:
        return broadcast(*shapes)
    except Mismatch:
        message = f"{show(shapes[0])} and {show(shapes[1])} cannot be combined element by element"
        call.conflict("shape", message, shapes=shapes)
        return None


def clip(call: Call) -> Value:
    base = subject(call)
    low = number_of(option(call, 0, "a_min", "min", "clip_value_min", "min_value") or UNKNOWN)
    high = number_of(option(call, 1, "a_max", "max", "clip_value_max", "max_value") or UNKNOWN)
    before = base.interval if isinstance(base, Tensor) else ANYTHING
    # An unknown lower bound may be an epsilon: nothing is known of that end any more.
    unknown_low = low is None and option(call, 0, "a_min", "min", "clip_value_min", "min_value") is not None
    return made(call, base, interval=ANYTHING if unknown_low else clipped(before, low, high))


def where(call: Call) -> Value:
    """``where(condition, a, b)``: one or the other."""
    if len(rest(call)) < 2:
        return made(call, UNKNOWN, shape=None, dtype="int64", interval=Interval(0.0))
    first, second = rest(call)[:2]
    base = first if isinstance(first, Tensor) else second
    shape = _broadcast(call, first, second)
    # The condition usually guards one of them, so their ranges do not bound the result.
    return made(call, base, shape=shape, interval=ANYTHING, inputs=(subject(call), first, second))


def comparison(call: Call) -> Value:
    """``a > b`` of tensors gives a tensor of truth values."""
    tensors = [value for value in call.positional if isinstance(value, Tensor)]
    if not tensors or len(call.positional) != 2:
        return UNKNOWN
    try:
        shape = broadcast(*(shape_of(value) for value in call.positional))
    except Mismatch:
        shape = None
    facts = frozenset().union(*(tensor.facts & {"symbolic"} for tensor in tensors))
    inputs = tuple(call.positional)
    return Tensor(tensors[0].library, shape, "bool", Interval(0, 1), call.name, inputs, call.node, facts)


# ── reductions ──────────────────────────────────────────────────────────────────────────────────────────────


def reduction(ranged: Callable[[Interval], Interval], dtype: str | None = None) -> Meaning:
    def apply(call: Call) -> Value:
        base = subject(call)
        axis = option(call, 0, "axis", "reduction_indices", "dim")
        keep = bool(
            truth_of(option(call, 1 if _tensorflow(call) else -1, "keepdims", "keep_dims", "keepdim") or UNKNOWN)
        )
        before = base.interval if isinstance(base, Tensor) else ANYTHING
        known = base.dtype if isinstance(base, Tensor) else None
        shape = reduced(shape_of(base), axis, keep)
        return made(call, base, shape=shape, interval=ranged(before), dtype=dtype or known)

    return apply


def _tensorflow(call: Call) -> bool:
    return call.name.startswith("tensorflow.")


def reduced(shape: Shape | None, axis: Value | None, keep: bool) -> Shape | None:
    """The shape without the reduced axes; no axis means all of them."""
    if axis is None or (isinstance(axis, Constant) and axis.value is None):
        return () if not keep else None if shape is None else (1,) * len(shape)
    number = number_of(axis)
    axes: Shape | None = (number,) if isinstance(number, int) else integers_of(axis)
    if shape is None or axes is None:
        return None
    positions = [positive_axis(part, len(shape)) if isinstance(part, int) else None for part in axes]
    if None in positions:
        return None
    if keep:
        return tuple(1 if index in positions else dim for index, dim in enumerate(shape))
    return tuple(dim for index, dim in enumerate(shape) if index not in positions)


def kept(interval: Interval) -> Interval:
    return interval


def summed(interval: Interval) -> Interval:
    """A sum of numbers that are never negative is never negative, and so on."""
    return Interval(min(interval.low, TINY) if interval.low > 0 else 0.0) if interval.low >= 0 else ANYTHING


# ── types and copies ────────────────────────────────────────────────────────────────────────────────────────


def cast(call: Call) -> Value:
    """``astype`` and ``tf.cast``."""
    base = subject(call)
    wanted = option(call, 0, "dtype")
    return moved(call, base, dtype=dtype_of(wanted) if wanted is not None else None)


def index_of_extreme(call: Call) -> Value:
    """``argmax``, ``argmin``."""
    base = subject(call)
    shape = reduced(shape_of(base), option(call, 0, "axis", "dimension"), False)
    return made(call, base, shape=shape, dtype="int64", interval=Interval(0.0))


def unchanged(call: Call) -> Value:
    """Copies and permutations of elements."""
    return moved(call, subject(call))


def like(interval: Interval) -> Meaning:
    """``zeros_like`` and similar functions."""

    def apply(call: Call) -> Value:
        base = subject(call)
        given = call.keywords.get("dtype")
        known = base.dtype if isinstance(base, Tensor) else None
        return made(call, base, interval=interval, dtype=dtype_of(given) if given else known, inputs=())

    return apply
