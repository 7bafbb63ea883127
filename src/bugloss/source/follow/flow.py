"""How values come together: both ways of a branch, the elements of a sequence, what a loop leaves known."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from bugloss.source.text.syntax import walk
from bugloss.source.values.arithmetic import range_length
from bugloss.source.values.values import UNKNOWN, Constant, Items, Other, Tensor, Value, number_of

LONGEST_UNROLL = 12
_LONGEST_JOIN = 4  # elements: pairs of inputs and targets, not data


def join(first: Value, second: Value) -> Value:
    """What holds on both ways: equal values stay, tensors keep what they agree on."""
    if first is second:
        return first
    if isinstance(first, Constant) and isinstance(second, Constant) and type(first.value) is type(second.value):
        return first if first.value == second.value else UNKNOWN
    if isinstance(first, Tensor) and isinstance(second, Tensor):
        return Tensor(
            first.library,
            _join_shapes(first.shape, second.shape),
            first.dtype if first.dtype == second.dtype else None,
            first.interval.union(second.interval),
            facts=first.facts & second.facts,
        )
    if (
        isinstance(first, Items)
        and isinstance(second, Items)
        and len(first.items) == len(second.items) <= _LONGEST_JOIN
    ):
        parts = [join(one, other) for one, other in zip(first.items, second.items, strict=True)]
        return Items(parts, first.is_tuple and second.is_tuple, first.complete and second.complete)
    return UNKNOWN


def _join_shapes(first: Any, second: Any) -> Any:
    if first is None or second is None or len(first) != len(second):
        return None
    return tuple(a if a == b else None for a, b in zip(first, second, strict=True))


def element_of(iterated: Value) -> Value:
    """One element of something that is looped over."""
    if isinstance(iterated, Items) and iterated.items:
        joined = iterated.items[0]
        for item in iterated.items[1:]:
            joined = join(joined, item)
        return joined
    if isinstance(iterated, Tensor) and iterated.shape:
        return iterated.with_(shape=iterated.shape[1:], made_by="getitem", inputs=(iterated,))
    if isinstance(iterated, Other) and iterated.kind == "enumerate":
        return Items([UNKNOWN, element_of(iterated.arguments.get("of", UNKNOWN))], is_tuple=True)
    if isinstance(iterated, Other) and "element" in iterated.arguments:
        return iterated.arguments["element"]
    return UNKNOWN


def unpack(value: Value, targets: Sequence[ast.expr]) -> list[Value]:
    """A value taken apart for several targets."""
    count = len(targets)
    if isinstance(value, Items) and value.complete and len(value.items) >= count - 1:
        stars = [index for index, target in enumerate(targets) if isinstance(target, ast.Starred)]
        if len(stars) == 1:
            after = count - stars[0] - 1
            middle = value.items[stars[0] : len(value.items) - after]
            return [*value.items[: stars[0]], Items(middle), *value.items[len(value.items) - after :]]
    if isinstance(value, Items) and value.complete and not any(isinstance(target, ast.Starred) for target in targets):
        return value.items if len(value.items) == count else [UNKNOWN] * count
    return [UNKNOWN] * count


def assigned_names(body: Sequence[ast.stmt]) -> set[str]:
    """Names that a block assigns anywhere inside."""
    found: set[str] = set()
    for statement in body:
        for node in walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return found


def forgotten(value: Value) -> Value:
    """What stays known of a variable that a loop reassigns."""
    if isinstance(value, Tensor):
        return Tensor(value.library, None, value.dtype)
    return UNKNOWN


def elements(value: Value) -> list[Value] | None:
    if isinstance(value, Items):
        return value.items if value.complete else None
    if isinstance(value, Other) and value.kind == "range":
        numbers = value.arguments["range"]
        if isinstance(numbers, Constant) and range_length(numbers.value) <= LONGEST_UNROLL:
            return [Constant(number) for number in numbers.value]
    if isinstance(value, Other) and value.kind == "enumerate":
        inner = elements(value.arguments.get("of", UNKNOWN))
        return None if inner is None else [Items([Constant(i), item], True) for i, item in enumerate(inner)]
    return None


def item_of(owner: Items, key: Value) -> Value:
    """An element or a slice of a known sequence."""
    if not owner.complete:
        return UNKNOWN
    number = number_of(key)
    if isinstance(number, int) and -len(owner.items) <= number < len(owner.items):
        return owner.items[number]
    bounds = _slice_bounds(key)
    return UNKNOWN if bounds is None else Items(owner.items[slice(*bounds)], owner.is_tuple)


def _slice_bounds(key: Value) -> tuple[int | None, ...] | None:
    """The three parts of a slice when all are known integers or left out."""
    if not isinstance(key, Other) or key.kind != "slice":
        return None
    parts = [key.arguments[name] for name in ("lower", "upper", "step")]
    known = [part.value for part in parts if isinstance(part, Constant)]
    if len(known) != len(parts) or not all(part is None or isinstance(part, int) for part in known) or known[2] == 0:
        return None
    return tuple(known)
