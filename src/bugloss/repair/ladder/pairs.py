"""Paired trials: the program as it is against the patched one, seed by seed, and whether the difference is real."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bugloss.core.patch import Rung, RungResult
from bugloss.repair.ladder.measures import Measure, last_step, measures
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.verify.statistics import a12, wilcoxon_greater

SEEDS = 5  # the least with which five of five better pairs are significant: p = 1/32
MOST_SEEDS = 8  # where one pair is not better: p < 0.05 is still possible if it is among the smallest differences
LEVEL = 0.05
LEAST_EFFECT = 0.64  # A12 of what Vargha and Delaney call a medium effect


@dataclass(frozen=True, slots=True)
class SeedPair:
    """One seed: the program as it is, and patched."""

    seed: int
    before: ObservedRun
    after: ObservedRun


@dataclass(frozen=True, slots=True)
class MeasuredPairs:
    """The values of one measure over all pairs."""

    measure: Measure
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        return tuple(self.measure.gain(*pair) for pair in zip(self.before, self.after, strict=True))

    @property
    def better(self) -> int:
        """How many pairs are better."""
        return sum(gain > 0 for gain in self.gains)

    @property
    def p_value(self) -> float:
        return wilcoxon_greater(self.gains)

    @property
    def effect(self) -> float:
        """The chance that a patched run is better than an unpatched one."""
        first, second = (self.after, self.before) if self.measure.larger_is_better else (self.before, self.after)
        return a12([_ordered(value) for value in first], [_ordered(value) for value in second])

    @property
    def hopeless(self) -> bool:
        """Whether no further pair could make the difference significant."""
        return len(self.gains) - self.better > 1


def _ordered(value: float) -> float:
    return math.inf if math.isnan(value) else value


def compare(pairs: Sequence[SeedPair], only: Measure | None = None) -> MeasuredPairs | None:
    """The pairs by the first measure that all of them have and that tells any of them apart; None without one."""
    if not pairs:
        return None
    ends = [_common_end(pair) for pair in pairs]
    shared = (
        [[only]] if only is not None else [list(measures(one.before.recording, one.after.recording)) for one in pairs]
    )
    found: MeasuredPairs | None = None
    for measure in shared[0]:
        if not all(measure in known for known in shared):
            continue
        values = [_values(measure, pair, end) for pair, end in zip(pairs, ends, strict=True)]
        known = [(old, new) for old, new in values if old is not None and new is not None]
        if len(known) < len(pairs):
            continue
        found = MeasuredPairs(measure, tuple(old for old, _ in known), tuple(new for _, new in known))
        if any(found.gains):
            return found
    return found


def _values(measure: Measure, pair: SeedPair, end: int) -> tuple[float | None, float | None]:
    return measure.read(pair.before.recording, end), measure.read(pair.after.recording, end)


def _common_end(pair: SeedPair) -> int:
    """Runs that were cut off are compared at the last step that both made; whole ones at their own ends."""
    if pair.before.cut_off or pair.after.cut_off:
        return min(last_step(pair.before.recording), last_step(pair.after.recording))
    return 1 << 60


def judge_pairs(pairs: Sequence[SeedPair], only: Measure | None = None) -> RungResult:
    """Better over the seeds or not: exact one-sided signed ranks at 5 %, and at least a medium effect."""
    found = compare(pairs, only)
    if found is None:
        return RungResult(Rung.PAIRED, None, "nothing was recorded that could be compared before and after")
    count, name = len(pairs), found.measure.name
    measured = {
        "metric": name,
        "held_out": found.measure.held_out,
        "before": summary(found.before),
        "after": summary(found.after),
        "seeds": count,
        "p_value": round(found.p_value, 5),
        "effect": round(found.effect, 3),
    }
    middle = f"{name} from {_middle(found.before):.4g} to {_middle(found.after):.4g}"
    if found.p_value < LEVEL and found.effect >= LEAST_EFFECT:
        words = (
            f"better with {found.better} of {count} seeds: {middle} (p = {found.p_value:.3g}, A12 {found.effect:.2f})"
        )
        return RungResult(Rung.PAIRED, True, words, measured)
    words = f"better with {found.better} of {count} seeds only: {middle} (p = {found.p_value:.3g})"
    return RungResult(Rung.PAIRED, False, words, measured)


def is_worse(pairs: Sequence[SeedPair], only: Measure | None = None) -> bool:
    """Whether the patched program is worse with every seed, by the same measure."""
    found = compare(pairs, only)
    return found is not None and bool(found.gains) and all(gain < 0 for gain in found.gains)


def summary(values: Sequence[float]) -> dict[str, object]:
    """The middle of some values, and the values."""
    return {"median": _plain(_middle(values)), "values": [_plain(value) for value in values]}


def _plain(value: float) -> float | str:
    """JSON has no number for what is not finite."""
    return round(value, 6) if math.isfinite(value) else str(value)


def _middle(values: Sequence[float]) -> float:
    ordered = sorted(values, key=_ordered)
    return ordered[len(ordered) // 2]
