"""Which part of a value is wanted: ``y`` of ``for x, y in loader`` is item 1 of each element of the loader."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ValuePart:
    """One step into a value: an attribute, an item by position or key, or each element (``key`` is None)."""

    key: str | int | None
    attribute: bool = False


EACH = ValuePart(None)
Wanted = tuple[ValuePart, ...]


def attribute(name: str) -> ValuePart:
    return ValuePart(name, attribute=True)


def item_of(index: ast.expr) -> ValuePart | None:
    """The part that a subscript takes: by a constant, or some element; None for slices, which make a new value."""
    if isinstance(index, ast.Constant) and isinstance(index.value, str | int):
        return ValuePart(index.value)
    return EACH if isinstance(index, ast.Name | ast.Attribute) else None


def bound_parts(target: ast.expr, wanted: Wanted = ()) -> Iterator[tuple[ast.expr, Wanted]]:
    """Every name, attribute and element that a target stores to, with the part of the value that it gets."""
    if isinstance(target, ast.Tuple | ast.List):
        starred = next((at for at, one in enumerate(target.elts) if isinstance(one, ast.Starred)), len(target.elts))
        for position, inner in enumerate(target.elts):
            at = position if position < starred else position - len(target.elts)
            yield from bound_parts(inner, (*wanted, ValuePart(at)))
    elif isinstance(target, ast.Starred):
        yield from bound_parts(target.value, (*wanted[:-1], EACH))
    else:
        yield target, wanted
