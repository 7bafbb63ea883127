"""Arguments by parameter name, for constructors whose parameters are listed in a table."""

from __future__ import annotations

from bugloss.source.values.values import Items, Operation, Value, number_of


def bound(call: Operation, parameters: tuple[str, ...]) -> dict[str, Value]:
    """Positional arguments under the names of their parameters, then the keywords."""
    return {**dict(zip(parameters, call.positional, strict=False)), **call.keywords}


def sizes(value: Value | None, count: int, default: int | None = None) -> list[int | None]:
    """A number for all axes, or one per axis; what is not known is None."""
    if value is None:
        return [default] * count
    if isinstance(value, Items):
        numbers = [number_of(item) for item in value.items]
        if len(numbers) == count:
            return [number if isinstance(number, int) else None for number in numbers]
        return [None] * count
    number = number_of(value)
    return [number if isinstance(number, int) else None] * count


def library_of(name: str) -> str:
    """The library of a canonical name: ``numpy.random.rand`` belongs to numpy; a tensor's method has none."""
    root = name.partition(".")[0]
    return root if root in {"numpy", "tensorflow", "torch", "keras"} else ""
