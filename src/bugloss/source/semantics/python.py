"""Python's own functions on abstract values, indexing included."""

from __future__ import annotations

from typing import Any

from bugloss.source.follow.call import Call, Semantics
from bugloss.source.follow.flow import element_of
from bugloss.source.semantics.array_ops import lasting
from bugloss.source.semantics.operators import arithmetic
from bugloss.source.values.arithmetic import OPERATORS, converted, range_length
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Interval,
    Items,
    Other,
    TableValue,
    Tensor,
    Value,
    integer_of,
    number_of,
)


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
    return TableValue(dict(call.keywords)) if not call.positional and not call.starred else UNKNOWN


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
    if "identity" in owner.facts and isinstance(key, Tensor) and key.dtype != "bool":
        facts = frozenset({"one-hot"}) | (facts - {"identity"})  # np.eye(classes)[labels]
    return owner.with_(shape=shape, interval=interval, facts=facts, **made)


def _may_choose(key: Value) -> bool:
    """Whether a key may be a mask: known numbers, slices, ranges and arrays of integers are none."""
    if isinstance(key, Constant) or (isinstance(key, Other) and key.kind in {"slice", "range", "index"}):
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
        elif (isinstance(number_of(key), int) or (isinstance(key, Other) and key.kind == "index")) and rest:
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
