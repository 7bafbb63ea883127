"""The statistical tests of the studies, with effect sizes; p-values come from SciPy."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev, variance
from typing import Any

from bugloss.core.errors import MissingExtra


@dataclass(frozen=True, slots=True)
class TestResult:
    """A statistic, its two-sided p-value, and how large the effect is."""

    __test__ = False  # pytest takes the name for a class of tests

    statistic: float
    p: float
    effect: float


def compare_means(first: Sequence[float], second: Sequence[float]) -> TestResult:
    """Student's t-test of two independent samples, as the papers use it, with Cohen's d."""
    if min(len(first), len(second)) < 2:
        return TestResult(math.nan, math.nan, math.nan)
    found = _scipy().ttest_ind(first, second)
    return TestResult(float(found.statistic), float(found.pvalue), cohens_d(first, second))


def cohens_d(first: Sequence[float], second: Sequence[float]) -> float:
    """The difference of the means in pooled standard deviations."""
    degrees = len(first) + len(second) - 2
    pooled = ((len(first) - 1) * variance(first) + (len(second) - 1) * variance(second)) / degrees
    return (fmean(first) - fmean(second)) / math.sqrt(pooled) if pooled else 0.0


def compare_counts(table: Sequence[Sequence[int]]) -> TestResult:
    """Pearson's chi-square test of independence, with Cramér's V; rows and columns without a count are left out."""
    rows = [list(row) for row in table if any(row)]
    columns = [at for at in range(len(rows[0])) if any(row[at] for row in rows)] if rows else []
    if len(rows) < 2 or len(columns) < 2:
        return TestResult(math.nan, math.nan, math.nan)
    kept = [[row[at] for at in columns] for row in rows]
    found = _scipy().chi2_contingency(kept)
    total = sum(map(sum, kept))
    strength = math.sqrt(float(found.statistic) / (total * (min(len(kept), len(columns)) - 1)))
    return TestResult(float(found.statistic), float(found.pvalue), strength)


def compare_two_shares(first: tuple[int, int], second: tuple[int, int]) -> TestResult:
    """Fisher's exact test of successes and failures in two groups; the effect is the difference of the shares."""
    found = _scipy().fisher_exact([first, second])
    effect = second[0] / sum(second) - first[0] / sum(first)
    return TestResult(float(found.statistic), float(found.pvalue), effect)


def compare_pairs(first: Sequence[float], second: Sequence[float]) -> TestResult:
    """Student's t-test of paired values; the effect is the mean difference in its standard deviations."""
    found = _scipy().ttest_rel(first, second)
    differences = [a - b for a, b in zip(first, second, strict=True)]
    return TestResult(float(found.statistic), float(found.pvalue), fmean(differences) / stdev(differences))


def cohens_kappa(first: Sequence[str], second: Sequence[str]) -> float:
    """Agreement of two people beyond chance: 1 for the same labels throughout, 0 for chance."""
    pairs = list(zip(first, second, strict=True))
    if not pairs:
        return math.nan
    agreed = sum(a == b for a, b in pairs) / len(pairs)
    one, other = Counter(first), Counter(second)
    by_chance = sum(one[label] * other[label] for label in one) / len(pairs) ** 2
    return 1.0 if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)


def _scipy() -> Any:
    try:
        from scipy import stats
    except ImportError:
        raise MissingExtra("studies", "A statistical test") from None
    return stats
