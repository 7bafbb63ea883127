"""Whether another value helps more than the one that a verified patch sets: all are run once, the best is verified."""

from __future__ import annotations

import time
from collections.abc import Sequence

from bugloss.core.patch import Patch, PatchVerdict
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.repair.ladder.pairs import SeedPair, compare
from bugloss.repair.ladder.program_files import apply_edit
from bugloss.repair.other_values import other_values
from bugloss.workflows.patch_trial import FIRST_SEED, Climbed, PatchTrial
from bugloss.workflows.trial_bench import Variant


def refine(climbed: Climbed, trial: PatchTrial, triggers: Sequence[str]) -> list[Climbed]:
    """The verified patch and others that set other values, the best first; those that there was no time for last."""
    others = list(other_values(climbed.tried.patch))
    run = climbed.run
    if not others or run is None or not climbed.pairs:
        return [climbed]
    ordered = _ordered(others, run, trial) if _has_time(trial, run, len(others)) else [(other, 0.0) for other in others]
    best, gain = ordered[0]
    found = [trial.climb(other, triggers) for other, _ in ordered[: 1 if gain > 0 else 0]]
    better = [one for one in found if one.tried.verdict is PatchVerdict.FIXED and _is_better(climbed, one)]
    rest = [trial.climb(other, triggers, run=False) for other, _ in ordered if other is not best or not found]
    return [*better, climbed, *(one for one in found if one not in better), *rest]


def unrun_values(patch: Patch, trial: PatchTrial) -> list[Climbed]:
    """Other values of a patch that there was no time to verify, by the steps that nothing has to run for."""
    return [trial.climb(other, (), run=False) for other in other_values(patch)]


def _has_time(trial: PatchTrial, run: ObservedRun, count: int) -> bool:
    return time.monotonic() + count * max(run.seconds, 1.0) / trial.at_once < trial.deadline


def _ordered(others: Sequence[Patch], run: ObservedRun, trial: PatchTrial) -> list[tuple[Patch, float]]:
    """The patches by what they gain over the verified one with the first seed."""
    texts = [apply_edit(other.edit, trial.standing.read)[1] for other in others]
    variants = [Variant({**trial.standing.changed, **text}, FIRST_SEED, trial.seconds) for text in texts]
    gains = []
    for other, after in zip(others, trial.runner.run(variants), strict=True):
        found = compare([SeedPair(FIRST_SEED, run, after)]) if after.crash is None else None
        gains.append((other, found.gains[0] if found is not None else float("-inf")))
    return sorted(gains, key=lambda one: -one[1])


def _is_better(first: Climbed, second: Climbed) -> bool:
    """Whether the second patch is better than the first with most seeds."""
    pairs = [SeedPair(one.seed, one.after, other.after) for one, other in zip(first.pairs, second.pairs, strict=False)]
    found = compare(pairs)
    return found is not None and found.better > len(pairs) / 2
