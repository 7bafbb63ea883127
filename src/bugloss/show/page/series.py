"""Numbers over training steps, thinned so that no peak is lost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_POINTS = 600

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: where it has values, and where they are NaN or infinite."""

    name: str
    style: str  # the class that gives it its colour: train | validation | each | rate | norm
    points: tuple[Point, ...] = ()
    broken: tuple[float, ...] = ()  # steps at which the value was NaN or infinite
    total: int = 0  # values before thinning

    def __bool__(self) -> bool:
        return bool(self.points or self.broken)


def make_series(name: str, style: str, values: Iterable[tuple[int, float | None]]) -> Series:
    """A curve from steps and values; missing values leave no trace, bad ones are kept apart."""
    known = [(step, value) for step, value in values if value is not None]
    finite = [(float(step), float(value)) for step, value in known if math.isfinite(value)]
    broken = [float(step) for step, value in known if not math.isfinite(value)]
    return Series(name, style, tuple(thin(finite)), tuple(_spread(broken)), len(known))


def thin(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """At most so many points: of each stretch the lowest and the highest, in their order, and both ends."""
    if len(points) <= most:
        return list(points)
    buckets = (most - 2) // 2
    inner = points[1:-1]
    kept = [points[0]]
    for number in range(buckets):
        part = inner[number * len(inner) // buckets : (number + 1) * len(inner) // buckets]
        if part:
            lowest, highest = min(part, key=_height), max(part, key=_height)
            kept += sorted({lowest, highest})
    return [*kept, points[-1]]


def _height(point: Point) -> float:
    return point[1]


def _spread(steps: Sequence[float], most: int = 40) -> list[float]:
    """A few of many steps, evenly, with the first and the last."""
    if len(steps) <= most:
        return list(steps)
    return [steps[round(number * (len(steps) - 1) / (most - 1))] for number in range(most)]
