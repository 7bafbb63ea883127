"""Numbers that stand in the source as nested lists: their shape and range."""

from __future__ import annotations

from bugloss.check.values import Items, Shape, Value, number_of


def literal_numbers(data: Value) -> list[float]:
    """All numbers of a nested list; empty when any of them is not known."""
    if isinstance(data, Items) and data.complete:
        parts = [literal_numbers(item) for item in data.items]
        return [number for part in parts for number in part] if all(parts) else []
    number = number_of(data)
    return [] if number is None else [number]


def literal_shape(data: Value) -> Shape | None:
    """``[[1, 2], [3, 4]]`` has shape (2, 2); lists of unequal length have none."""
    if number_of(data) is not None:
        return ()
    if not isinstance(data, Items) or not data.complete or not data.items:
        return None
    inner = [literal_shape(item) for item in data.items]
    return (len(inner), *inner[0]) if inner[0] is not None and all(part == inner[0] for part in inner) else None
