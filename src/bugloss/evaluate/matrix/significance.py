"""Whether two answers to the same questions differ: McNemar, Wilcoxon, bootstrap, effect sizes, Holm's correction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bugloss.evaluate.paired import Comparison, compare
from bugloss.evaluate.retrieval import Estimate, estimate


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two series of successes on the same bugs; ``difference`` is the first share minus the second.

    ``odds_ratio`` is that of the bugs on which they differ, with half a bug added to each side; ``cohens_g`` is the
    distance of their share from one half. ``p_holm`` is ``p`` corrected for all pairs that are looked at together.
    """

    first: str
    second: str
    measure: str
    bugs: int
    only_first: int
    only_second: int
    difference: Estimate
    p: float  # McNemar's exact test, two-sided
    odds_ratio: float
    cohens_g: float
    p_holm: float = 1.0


@dataclass(frozen=True, slots=True)
class PairedSeconds:
    """Seconds of the same questions: Wilcoxon's signed-rank test and its effect sizes."""

    first: str
    second: str
    comparison: Comparison


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p: how likely so uneven a split of the bugs that differ is by chance."""
    differ = only_first + only_second
    if not differ:
        return 1.0
    tail = sum(math.comb(differ, count) for count in range(min(only_first, only_second) + 1))
    return float(min(1.0, 2 * tail / 2**differ))


def pair_test(first: str, second: str, measure: str, pairs: Sequence[tuple[bool, bool]]) -> PairedTest:
    """Two series of successes, bug by bug."""
    better = sum(one and not other for one, other in pairs)
    worse = sum(other and not one for one, other in pairs)
    share = better / (better + worse) if better + worse else 0.5
    return PairedTest(
        first,
        second,
        measure,
        len(pairs),
        better,
        worse,
        estimate([float(one) - float(other) for one, other in pairs]),
        mcnemar(better, worse),
        round((better + 0.5) / (worse + 0.5), 3),
        round(share - 0.5, 3),
    )


def correct_by_holm(tests: Sequence[PairedTest]) -> tuple[PairedTest, ...]:
    """The same tests with p-values corrected for looking at all of them."""
    order = sorted(range(len(tests)), key=lambda at: tests[at].p)
    corrected, least = [0.0] * len(tests), 0.0
    for rank, at in enumerate(order):
        least = max(least, min(1.0, tests[at].p * (len(tests) - rank)))
        corrected[at] = least
    return tuple(replace(test, p_holm=p) for test, p in zip(tests, corrected, strict=True))


def seconds_test(first: str, second: str, pairs: Sequence[tuple[float, float]]) -> PairedSeconds:
    """Whether one takes longer than the other on the same programs."""
    return PairedSeconds(first, second, compare([one for one, _ in pairs], [other for _, other in pairs]))
