"""How good a ranking is: Top@k, average precision, reciprocal rank, and their means with confidence intervals."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

Case = TypeVar("Case")

RESAMPLES = 1_000
CURVE = 20  # places of a ranking that its curve shows


@dataclass(frozen=True, slots=True)
class ScoredRanking:
    """One report's ranking, scored."""

    subject: str
    average_precision: float
    reciprocal_rank: float

    def within(self, k: int) -> bool:
        """Whether a true file is among the first ``k``."""
        return self.reciprocal_rank * k >= 1 - 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with the interval in which 95 % of resampled means lie."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scores:
    """The usual measures over some reports."""

    reports: int
    top1: Estimate
    top5: Estimate
    top10: Estimate
    mean_average_precision: Estimate
    mean_reciprocal_rank: Estimate


def score_ranking(subject: str, ranked: Sequence[str], truth: Collection[str]) -> ScoredRanking:
    """Average precision over all true files (one that is not ranked counts as never found), and reciprocal rank."""
    wanted = set(truth)
    if not wanted:
        raise ValueError(f"{subject} has no true file")
    found, precision, first = 0, 0.0, 0
    for rank, path in enumerate(ranked, 1):
        if path in wanted:
            found += 1
            precision += found / rank
            first = first or rank
            wanted.discard(path)
    return ScoredRanking(subject, precision / len(set(truth)), 1 / first if first else 0.0)


def summarise(hits: Sequence[ScoredRanking], seed: int = 0) -> Scores:
    """The means of all measures."""
    columns = (
        [float(hit.within(1)) for hit in hits],
        [float(hit.within(5)) for hit in hits],
        [float(hit.within(10)) for hit in hits],
        [hit.average_precision for hit in hits],
        [hit.reciprocal_rank for hit in hits],
    )
    return Scores(len(hits), *(estimate(column, seed) for column in columns))


def curve(hits: Sequence[ScoredRanking], most: int = CURVE) -> tuple[float, ...]:
    """Top@1, Top@2 and so on."""
    return tuple(round(fmean(hit.within(k) for hit in hits), 4) if hits else 0.0 for k in range(1, most + 1))


def estimate(values: Sequence[float], seed: int = 0) -> Estimate:
    """The mean and its bootstrap interval."""
    return bootstrap(values, fmean, seed)


def bootstrap(found: Sequence[Case], statistic: Callable[[Sequence[Case]], float], seed: int = 0) -> Estimate:
    """A statistic with the interval in which 95 % of those of resampled cases lie."""
    if not found:
        return Estimate(0.0, 0.0, 0.0)
    draw = random.Random(seed)
    values = sorted(statistic(draw.choices(found, k=len(found))) for _ in range(RESAMPLES))
    low, high = values[int(0.025 * RESAMPLES)], values[int(0.975 * RESAMPLES) - 1]
    return Estimate(round(statistic(found), 4), round(low, 4), round(high, 4))
