"""How functions map ranges of numbers: what interval reasoning knows of ``exp``, ``log``, ``relu`` …"""

from __future__ import annotations

import math
from collections.abc import Callable

from bugloss.source.values.values import ANYTHING, Interval

# Stands for "above zero, however small": the exponential function never returns zero in exact arithmetic.
TINY = 5e-324
POSITIVE = Interval(TINY)
NOT_NEGATIVE = Interval(0.0)
UNIT = Interval(0.0, 1.0)
Ranged = Callable[[Interval], Interval]


def always(interval: Interval) -> Ranged:
    """A function whose result is in the interval, whatever it is given."""
    return lambda _: interval


def exponential(interval: Interval) -> Interval:
    return Interval(max(TINY, _exp(interval.low)), _exp(interval.high))


def _exp(number: float) -> float:
    return math.inf if number > 700 else 0.0 if number < -700 else math.exp(number)


def logarithm(interval: Interval) -> Interval:
    if interval.low <= TINY or interval.high < interval.low:
        return ANYTHING
    return Interval(math.log(interval.low), math.log(interval.high) if interval.high < math.inf else math.inf)


def logarithm_of_one_plus(interval: Interval) -> Interval:
    if interval.low <= -1 or interval.high < interval.low:
        return ANYTHING
    return Interval(math.log1p(interval.low), math.log1p(interval.high) if interval.high < math.inf else math.inf)


def clipped(interval: Interval, low: float | None, high: float | None) -> Interval:
    """Both ends brought between the bounds; where these are the wrong way round the upper one wins, as in NumPy."""

    def clip(number: float) -> float:
        raised = number if low is None else max(number, low)
        return raised if high is None else min(raised, high)

    return Interval(clip(interval.low), clip(interval.high))


def absolute(interval: Interval) -> Interval:
    if interval.low >= 0:
        return interval
    largest = max(abs(interval.low), abs(interval.high))
    return Interval(0.0 if interval.high >= 0 else -interval.high, largest)


def rectified(interval: Interval) -> Interval:
    return Interval(max(0.0, interval.low), max(0.0, interval.high))


def square_root(interval: Interval) -> Interval:
    low = math.sqrt(interval.low) if 0 <= interval.low < math.inf else 0.0
    return Interval(low, math.sqrt(interval.high) if 0 <= interval.high < math.inf else math.inf)


def square(interval: Interval) -> Interval:
    bounds = [end**2 if abs(end) < 1e150 else math.inf for end in (interval.low, interval.high)]
    return Interval(0.0 if interval.contains(0) else min(bounds), max(bounds))


def shifted_exponential(interval: Interval) -> Interval:
    """``expm1``, ``elu``."""
    return Interval(max(-1.0, interval.low))
