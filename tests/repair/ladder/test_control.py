"""A patch is compared with random changes."""

from __future__ import annotations

from bugloss.core.run import Outcome
from bugloss.observe.recording import Epoch, Recording
from bugloss.repair.ladder.control import judge_control
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.repair.ladder.pairs import SeedPair


def run(accuracy: float) -> ObservedRun:
    return ObservedRun(Recording(epochs=(Epoch(epoch=1, step=2, validation_accuracy=accuracy),)), Outcome.FINISHED)


PAIR = SeedPair(1, run(0.5), run(0.9))


def test_a_patch_that_beats_every_random_change_passes() -> None:
    assert judge_control(PAIR, [run(0.4), run(0.7)]).passed


def test_a_random_change_that_does_as_well_is_reported() -> None:
    found = judge_control(PAIR, [run(0.4), run(0.95)])
    assert found.passed is False
    assert found.measured["as_good"] == 1


def test_without_random_changes_nothing_is_said() -> None:
    assert judge_control(PAIR, []).passed is None
