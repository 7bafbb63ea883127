"""Small robust statistics over curves: levels, noise, trends, persistence. Plain numbers in, plain numbers out.

NaN and infinity must be removed first (``finite``); every other function expects finite values.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import fmean, median

_TO_DEVIATION = 1.4826  # a median distance times this is the standard deviation of a normal distribution
_MOST_POINTS = 60  # pairs are compared, so longer curves are cut into this many blocks first
_LEAST_SHARE = 0.5  # of the mean distance: a curve that mostly rests and sometimes jumps has a median of zero
MEDIAN_ERROR = 1.25  # times the standard error of a mean is that of a median (the root of half of pi)
TINY = 1e-12  # in place of a level of zero, by which nothing can be divided


def finite(values: Iterable[float | None]) -> list[float]:
    """The values that are numbers."""
    return [value for value in values if value is not None and math.isfinite(value)]


def robust_deviation(values: Sequence[float]) -> float:
    """The standard deviation that the inner half of the values suggests; outliers do not count."""
    if len(values) < 2:
        return 0.0
    middle = median(values)
    return _TO_DEVIATION * median(abs(value - middle) for value in values)


def noise(values: Sequence[float]) -> float:
    """The standard deviation of a curve about its own trend, judged by how much neighbours differ.

    Mean and median are both asked: a curve that mostly stands still and sometimes jumps has a median of zero.
    """
    steps = [later - earlier for earlier, later in pairwise(values)]
    if len(steps) < 2:
        return 0.0
    trend = median(steps)
    distances = [abs(step - trend) for step in steps]
    return max(_TO_DEVIATION * median(distances), _LEAST_SHARE * fmean(distances)) / math.sqrt(2)


def blocks(values: Sequence[float], count: int) -> list[float]:
    """The medians of ``count`` neighbouring stretches of equal length; a shorter curve is left as it is."""
    return [median(part) for part in _stretches(values, count)]


def block_means(values: Sequence[float], count: int) -> list[float]:
    """The means of ``count`` neighbouring stretches of equal length; a shorter curve is left as it is."""
    return [fmean(part) for part in _stretches(values, count)]


def _stretches(values: Sequence[float], count: int) -> Iterator[Sequence[float]]:
    count = min(count, len(values))
    edges = [round(index * len(values) / count) for index in range(count + 1)] if count else []
    return (values[start:end] for start, end in pairwise(edges))


def trend(values: Sequence[float]) -> float:
    """How surely a curve rises (above zero) or falls: the z score of the Mann-Kendall test, no chance beyond ±2."""
    points = blocks(values, _MOST_POINTS)
    count = len(points)
    if count < 3:
        return 0.0
    score = sum(
        (points[later] > points[earlier]) - (points[later] < points[earlier])
        for earlier in range(count)
        for later in range(earlier + 1, count)
    )
    deviation = math.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    return (score - (score > 0) + (score < 0)) / deviation


def turning_share(values: Sequence[float]) -> float:
    """The share of the inner points at which a curve turns from rising to falling or back; noise has two thirds."""
    steps = [later - earlier for earlier, later in pairwise(values) if later != earlier]
    if len(steps) < 2:
        return 0.0
    return sum((earlier > 0) != (later > 0) for earlier, later in pairwise(steps)) / (len(steps) - 1)


def ranks(values: Sequence[float]) -> list[float]:
    """The place of each value in ascending order; equal values share the mean of their places."""
    order = sorted(range(len(values)), key=values.__getitem__)
    places = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for index in order[start : end + 1]:
            places[index] = (start + end) / 2
        start = end + 1
    return places


def correlation(left: Sequence[float], right: Sequence[float]) -> float | None:
    """How well the order of one list predicts that of the other (Spearman); None where one of them never changes."""
    if len(left) != len(right) or len(left) < 3:
        return None
    first, second = ranks(left), ranks(right)
    middle = (len(first) - 1) / 2
    above = math.sqrt(sum((place - middle) ** 2 for place in first) * sum((place - middle) ** 2 for place in second))
    if above == 0:
        return None
    return sum((one - middle) * (other - middle) for one, other in zip(first, second, strict=True)) / above


def persistent(flags: Iterable[bool], times: int) -> int | None:
    """Where a run of ``times`` true flags begins, the first such run; None where there is none."""
    length = 0
    for index, flag in enumerate(flags):
        length = length + 1 if flag else 0
        if length >= times:
            return index - times + 1
    return None


def share(flags: Iterable[bool]) -> float:
    """The share of the flags that are true; 0 where there are none."""
    all_flags = list(flags)
    return sum(all_flags) / len(all_flags) if all_flags else 0.0
