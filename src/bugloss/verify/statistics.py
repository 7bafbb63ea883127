"""Comparing two samples: Mann–Whitney's U, Wilcoxon's signed ranks for pairs, and Vargha and Delaney's A12."""

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


def wilcoxon_greater(differences: Sequence[float]) -> float:
    """One-sided p-value that paired differences lie above zero: exact, by the signed ranks; zeros are left out."""
    known = [one for one in differences if one]
    if not known:
        return 1.0
    ranks = _doubled_ranks([abs(one) for one in known])
    observed = sum(rank for rank, one in zip(ranks, known, strict=True) if one > 0)
    ways: Counter[int] = Counter({0: 1})  # how many choices of signs give each sum of positive ranks
    for rank in ranks:
        ways += Counter({total + rank: count for total, count in ways.items()})
    as_extreme: int = sum(count for total, count in ways.items() if total >= observed)
    return as_extreme / float(2 ** len(ranks))


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Twice the rank of each, so that the mean rank of ties is whole."""
    ordered = sorted(sizes)
    return [ordered.index(size) + 1 + len(ordered) - ordered[::-1].index(size) for size in sizes]
