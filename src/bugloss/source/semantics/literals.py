"""Numbers that are written in the source as nested lists: their shape and range."""

from __future__ import annotations

from bugloss.source.values.values import Items, Shape, Value, number_of

# More than the budget of a file allows; a list that holds another one twice, again and again, goes beyond.
MOST_VISITS = 100_000


def literal_numbers(data: Value) -> list[float]:
    """All numbers of a nested list; empty when any of them is not known, or when there are too many to look at."""
    numbers: list[float] = []
    waiting, visits = [data], 0
    while waiting:
        value, visits = waiting.pop(), visits + 1
        if isinstance(value, Items) and value.complete and value.items and visits + len(waiting) < MOST_VISITS:
            waiting += reversed(value.items)
            continue
        number = number_of(value)
        if number is None:
            return []
        numbers.append(number)
    return numbers


def literal_shape(data: Value) -> Shape | None:
    """``[[1, 2], [3, 4]]`` has shape (2, 2); lists of unequal length have none."""
    return _shape(data, {})


def _shape(data: Value, known: dict[int, Shape | None]) -> Shape | None:
    """A list that occurs in several places is looked at once."""
    if number_of(data) is not None:
        return ()
    if not isinstance(data, Items) or not data.complete or not data.items:
        return None
    if id(data) not in known:
        inner = [_shape(item, known) for item in data.items]
        first = inner[0]
        known[id(data)] = (len(inner), *first) if first is not None and all(part == first for part in inner) else None
    return known[id(data)]
