"""Numbers as people read them."""

from __future__ import annotations

import math

_UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k"))


def number(value: float | int | None) -> str:
    """Three or four figures that mean something: ``1,090``, ``0.0213``, ``3.2e-05``, ``NaN``."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("∞" if value > 0 else "−∞")
    if isinstance(value, int):
        return count(value)
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1e6 or size < 1e-3:
        return f"{value:.2g}"
    return f"{value:,.0f}" if size >= 1000 else f"{value:.3g}"


def count(value: int) -> str:
    """A whole number with its thousands set apart; very large ones with a unit."""
    for size, unit in _UNITS[:2]:
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:,}"


def seconds(value: float | None) -> str:
    """A duration: ``0.03 s``, ``12.3 s``, ``4 min 10 s``, ``2 h 5 min``."""
    if value is None or not math.isfinite(value):
        return "an unknown time"
    if value < 60:
        return f"{value:.2f} s" if value < 1 else f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def share(value: float | None) -> str:
    """A part of a whole, in per cent."""
    return "–" if value is None or not math.isfinite(value) else f"{value:.0%}"
