"""Comparing two samples: Mann–Whitney's U and Vargha and Delaney's A12."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def a12(first: Sequence[float], second: Sequence[float]) -> float:
    """The chance that a value of the first sample exceeds one of the second (ties count half)."""
    larger = sum((a > b) + 0.5 * (a == b) for a in first for b in second)
    return larger / (len(first) * len(second))


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided p-value by the normal approximation with ties and continuity corrected."""
    n, m = len(first), len(second)
    u = a12(first, second) * n * m
    total = n + m
    ties = sum(count**3 - count for count in Counter([*first, *second]).values())
    variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    if variance <= 0:
        return 1.0
    z = max(0.0, abs(u - n * m / 2) - 0.5) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2))
