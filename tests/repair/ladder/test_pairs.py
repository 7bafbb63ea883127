"""Better over paired seeds, or not."""

from __future__ import annotations

from bugloss.core.run import Outcome
from bugloss.observe.recording import Epoch, Recording, TrainingStep
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.repair.ladder.pairs import SeedPair, compare, is_worse, judge_pairs


def run(accuracy: float) -> ObservedRun:
    steps = (TrainingStep(step=1, loss=1.0), TrainingStep(step=2, loss=0.5))
    epochs = (Epoch(epoch=1, step=2, validation_accuracy=accuracy),)
    return ObservedRun(Recording(steps=steps, epochs=epochs), Outcome.FINISHED)


def pairs(before: float, after: float, count: int = 5) -> list[SeedPair]:
    return [SeedPair(seed, run(before + seed / 1000), run(after + seed / 1000)) for seed in range(count)]


def test_five_better_seeds_of_five_are_accepted_with_effect_and_p() -> None:
    found = judge_pairs(pairs(0.5, 0.9))
    assert found.passed
    assert (found.measured["p_value"], found.measured["effect"], found.measured["held_out"]) == (0.03125, 1.0, True)


def test_four_better_seeds_of_four_are_not_enough() -> None:
    assert judge_pairs(pairs(0.5, 0.9, count=4)).passed is False


def test_a_patch_that_changes_nothing_is_not_accepted() -> None:
    same = pairs(0.5, 0.5)
    assert judge_pairs(same).passed is False
    assert not is_worse(same)


def test_worse_with_every_seed_is_a_regression() -> None:
    assert is_worse(pairs(0.9, 0.5))


def test_two_seeds_that_are_not_better_end_the_comparison() -> None:
    found = compare(pairs(0.9, 0.5, count=2))
    assert found is not None
    assert found.hopeless


def test_without_numbers_nothing_is_decided() -> None:
    empty = ObservedRun(Recording(), Outcome.FINISHED)
    assert judge_pairs([SeedPair(1, empty, empty)]).passed is None
