"""Axes: from values to positions, with ticks at round numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bugloss.show.page.figures import number

_DECADES_FOR_LOG = 2.0
_MOST_TICKS = 6
_NEAR_ZERO = 0.5
_SMALLEST, _LARGEST = 1e-290, 1e290


@dataclass(frozen=True, slots=True)
class Scale:
    """A stretch of numbers laid onto a stretch of paper."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """The position of a value; values outside are at the edge."""
        value = _drawable(value)
        if self.logarithmic:
            low, high = math.log10(self.low), math.log10(self.high)
            at = math.log10(max(value, self.low))
        else:
            low, high, at = self.low, self.high, value
        # Halves first: the difference of two very large numbers may not be a number any more.
        width = high / 2 - low / 2
        part = (at / 2 - low / 2) / width if width > 0 else 0.5
        return self.start + min(max(part, 0.0), 1.0) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """Places and labels of round values."""
        values = _decades(self.low, self.high) if self.logarithmic else _round_steps(self.low, self.high)
        return [(self.place(value), _label(value, self.logarithmic)) for value in values]


def scale_of(values: Iterable[float], start: float, end: float, *, may_log: bool = True) -> Scale:
    """The scale that shows all values; logarithmic where they are positive and span decades."""
    known = sorted(_drawable(value) for value in values if math.isfinite(value))
    if not known:
        return Scale(0.0, 1.0, start, end)
    positive = [value for value in known if value > 0]
    if may_log and positive and known[0] >= 0 and _spans_decades(positive, known):
        return Scale(10.0 ** math.floor(math.log10(positive[0])), _next_decade(positive[-1]), start, end, True)
    low, high = known[0], known[-1]
    if low == high:
        margin = abs(low) / 2 or 0.5
        return Scale(low - margin, high + margin, start, end)
    if 0 < low < high * _NEAR_ZERO:  # then zero is worth showing: it tells how far there is to go
        low = 0.0
    margin = (high / 2 - low / 2) * 0.16
    return Scale(low if low == 0 else low - margin, high + margin, start, end)


def _drawable(value: float) -> float:
    """Beyond these sizes differences and logarithms are not finite."""
    if 0 < abs(value) < _SMALLEST:
        return 0.0
    return min(max(value, -_LARGEST), _LARGEST)


def _spans_decades(positive: Sequence[float], known: Sequence[float]) -> bool:
    """Zeros among positive values are shown at the lower edge, as long as they are few."""
    spread = math.log10(positive[-1]) - math.log10(positive[0])
    return spread >= _DECADES_FOR_LOG and len(positive) * 2 > len(known)


def _next_decade(value: float) -> float:
    exponent = math.ceil(math.log10(value))
    return 10.0 ** min(exponent, 308)


def _decades(low: float, high: float) -> list[float]:
    first, last = round(math.log10(low)), round(math.log10(high))
    step = max(1, math.ceil((last - first) / _MOST_TICKS))
    return [10.0**exponent for exponent in range(first, last + 1, step)]


def _round_steps(low: float, high: float) -> list[float]:
    width = high / 2 - low / 2
    if not math.isfinite(width) or width <= 0:
        return [low]
    rough = width * 2 / (_MOST_TICKS - 1)
    if not math.isfinite(rough) or rough <= 0:
        return [low, high]
    magnitude = 10.0 ** math.floor(math.log10(rough))
    step = next(size * magnitude for size in (1, 2, 5, 10) if size * magnitude >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [(first + index) * step for index in range(_MOST_TICKS + 2) if (first + index) * step <= high + step * 1e-9]


def _label(value: float, logarithmic: bool) -> str:
    if logarithmic and not 1e-3 <= value < 1e5:
        return f"1e{round(math.log10(value))}"
    return number(0.0 if abs(value) < 1e-300 else (int(value) if value == int(value) and abs(value) < 1e6 else value))
