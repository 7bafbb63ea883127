"""One bound that all measurements of the original meet and none of the mutant: what a bug's test needs.

A mutant can be killed without one, where the two samples overlap. Such a fault makes no bug: its test would answer
differently from run to run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bugloss.core.bug import Bound, BoundKind

_DIGITS = 4  # a bound is a literal that people read; halfway between two samples there is room to round
_MARGIN = 0.1  # of the worst measurement: how far a bound lies below it where the mutant gives no number at all


def separating_bound(
    original: Sequence[float], mutant: Sequence[float], stated: Bound | None, *, higher_is_better: bool
) -> Bound | None:
    """The stated bound where it tells the samples apart, else one halfway between them; None where they overlap."""
    kind = BoundKind.AT_LEAST if higher_is_better else BoundKind.AT_MOST
    sign = 1 if higher_is_better else -1
    healthy = [sign * value for value in original if math.isfinite(value)]
    faulty = [sign * value for value in mutant if math.isfinite(value)]
    if len(healthy) < len(original) or not healthy:
        return None
    worst = min(healthy)
    limit = sign * stated.limit if stated is not None and isinstance(stated.limit, int | float) else None
    if stated is not None and limit is not None and worst >= limit > max(faulty, default=-math.inf):
        return stated
    best = max(faulty, default=worst - 2 * _MARGIN * (abs(worst) or 1.0))
    between = float(f"{(worst + best) / 2:.{_DIGITS}g}")
    return Bound(kind, sign * between) if worst >= between > best else None


def separates(bound: Bound, original: Sequence[float], mutant: Sequence[float]) -> bool:
    """Whether a bound that was chosen on some seeds also tells measurements on others apart."""
    assert isinstance(bound.limit, int | float)
    limit, higher = bound.limit, bound.kind is BoundKind.AT_LEAST

    def healthy(value: float) -> bool:
        return math.isfinite(value) and (value >= limit if higher else value <= limit)

    return bool(original and mutant) and all(map(healthy, original)) and not any(map(healthy, mutant))
