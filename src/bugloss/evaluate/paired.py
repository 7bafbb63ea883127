"""Is one method better than another on the same reports? Wilcoxon's signed-rank test, with effect sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import NormalDist, fmean, stdev

_EXACT = 20  # pairs that differ; up to here all signs are counted out


@dataclass(frozen=True, slots=True)
class Comparison:
    """``difference`` is the mean of first minus second; ``p`` is two-sided."""

    pairs: int
    differ: int
    difference: float
    p: float
    rank_biserial: float  # from -1 to 1: how much the ranks of differences favour the first
    cohens_d: float


def compare(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Scores of two methods on the same reports, in the same order."""
    differences = [a - b for a, b in zip(first, second, strict=True)]
    telling = [value for value in differences if abs(value) > 1e-12]
    ranks = _ranks([abs(value) for value in telling])
    positive = sum(rank for rank, value in zip(ranks, telling, strict=True) if value > 0)
    whole = len(telling) * (len(telling) + 1) / 2
    biserial = (2 * positive - whole) / whole if whole else 0.0
    spread = stdev(differences) if len(differences) > 1 else 0.0
    mean = fmean(differences) if differences else 0.0
    effect = mean / spread if spread else 0.0
    return Comparison(
        len(differences), len(telling), round(mean, 4), _p(positive, ranks), round(biserial, 4), round(effect, 4)
    )


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    ranks = [0.0] * len(values)
    start = 0
    for _, group in groupby(order, key=lambda at: round(values[at], 12)):
        members = list(group)
        for at in members:
            ranks[at] = start + (len(members) + 1) / 2
        start += len(members)
    return ranks


def _p(positive: float, ranks: Sequence[float]) -> float:
    if not ranks:
        return 1.0
    return _exact(positive, ranks) if len(ranks) <= _EXACT else _normal(positive, ranks)


def _exact(positive: float, ranks: Sequence[float]) -> float:
    """The share of all ways to give signs that are at least as far from the middle."""
    counts = {0.0: 1}
    for rank in ranks:
        grown = dict(counts)
        for total, ways in counts.items():
            grown[total + rank] = grown.get(total + rank, 0) + ways
        counts = grown
    middle = sum(ranks) / 2
    far = abs(positive - middle) - 1e-9
    extreme = sum(ways for total, ways in counts.items() if abs(total - middle) >= far)
    return extreme / float(2 ** len(ranks))


def _normal(positive: float, ranks: Sequence[float]) -> float:
    """With Pratt's variance for ties: a quarter of the sum of squared ranks."""
    deviation = math.sqrt(sum(rank * rank for rank in ranks) / 4)
    score = (abs(positive - sum(ranks) / 2) - 0.5) / deviation
    return 2 * (1 - NormalDist().cdf(score)) if score < 8 else math.erfc(score / math.sqrt(2))
