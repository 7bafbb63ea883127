"""Whether a mutant is killed: are its measurements worse than those of the original, seed by seed?

As in DeepCrime (Humbatova, Jahangirova, Tonella; ISSTA 2021) a mutant is killed only if the difference is significant
*and* not small. Its general linear model and Cohen's d assume normal accuracies; a training that diverged gives none,
so the pairs are compared by Wilcoxon's signed ranks (exact) and the effect is Cliff's delta.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from bugloss.verify.statistics import a12, wilcoxon_greater

SIGNIFICANT = 0.05  # DeepCrime's alpha
MEDIUM = 0.33  # from here on Cliff's delta is called medium (Romano et al. 2006); DeepCrime's d of 0.5 is medium too
FEWEST_PAIRS = 5  # with four the least p-value of signed ranks is 1/16


class Fate(Enum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    BROKEN = "broken"  # it raises an exception, or its test measures nothing
    UNDECIDED = "undecided"
    NOT_RUN = "not-run"  # the machine's doing: a time-out, out of memory


@dataclass(frozen=True, slots=True)
class Killing:
    """The decision with its numbers."""

    fate: Fate
    pairs: int
    p_value: float = 1.0
    cliffs_delta: float = 0.0  # positive: the mutant is worse
    original: float | None = None  # medians of what was measured
    mutant: float | None = None
    reason: str = ""


def decide(original: Sequence[float], mutant: Sequence[float], *, higher_is_better: bool) -> Killing:
    """Compares measurements of the same seeds; NaN is worse than any number."""
    if len(original) != len(mutant):
        raise ValueError(f"{len(original)} measurements of the original cannot be paired with {len(mutant)}")
    before, after = _badness(original, higher_is_better), _badness(mutant, higher_is_better)
    pairs = [(b, a) for b, a in zip(before, after, strict=True) if math.isfinite(b)]
    if len(pairs) < FEWEST_PAIRS:
        reason = f"only {len(pairs)} of {len(before)} pairs can be compared; {FEWEST_PAIRS} are needed"
        return Killing(Fate.UNDECIDED, len(pairs), reason=reason)
    largest = 1 + max((abs(a - b) for b, a in pairs if math.isfinite(a)), default=0.0)
    worse = [a - b if math.isfinite(a) else largest for b, a in pairs]
    p_value = wilcoxon_greater(worse)
    delta = 2 * a12([a for _, a in pairs], [b for b, _ in pairs]) - 1
    fate = Fate.KILLED if p_value < SIGNIFICANT and delta >= MEDIUM else Fate.SURVIVED
    return Killing(fate, len(pairs), p_value, delta, _median(original), _median(mutant))


def _badness(values: Sequence[float], higher_is_better: bool) -> list[float]:
    return [math.inf if math.isnan(value) else -value if higher_is_better else value for value in values]


def _median(values: Sequence[float]) -> float | None:
    finite = sorted(value for value in values if math.isfinite(value))
    if not finite:
        return None
    middle = len(finite) // 2
    return finite[middle] if len(finite) % 2 else (finite[middle - 1] + finite[middle]) / 2
