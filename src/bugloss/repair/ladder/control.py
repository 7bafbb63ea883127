"""Whether random changes of settings, given as many runs, help as much as a patch: then the patch is luck."""

from __future__ import annotations

from collections.abc import Sequence

from bugloss.core.patch import Rung, RungResult
from bugloss.core.plural import plural
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.repair.ladder.pairs import SeedPair, compare

CONTROLS = 5  # random changes, as many as a patch has seeds


def judge_control(pair: SeedPair, controls: Sequence[ObservedRun]) -> RungResult:
    """The gain of a patch with one seed against that of every random change with the same seed."""
    mine = compare([pair])
    if mine is None:
        return RungResult(Rung.CONTROL, None, "nothing was recorded that could be compared with random changes")
    gains: list[float] = []
    for control in controls:
        found = compare([SeedPair(pair.seed, pair.before, control)], mine.measure)
        gains += found.gains if found is not None else ()
    if not gains:
        return RungResult(Rung.CONTROL, None, "no random change of a setting could be compared")
    as_good = sum(gain >= mine.gains[0] for gain in gains)
    changes = plural(len(gains), "random change")
    words = f"{as_good} of {changes} of settings as good" if as_good else f"better than each of {changes} of settings"
    measured = {"controls": len(gains), "as_good": as_good, "metric": mine.measure.name}
    return RungResult(Rung.CONTROL, not as_good, words, measured)
