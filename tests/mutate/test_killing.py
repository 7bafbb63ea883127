"""A mutant is killed by a significant and not small drop, and by nothing else."""

from __future__ import annotations

from math import inf, nan

import pytest

from bugloss.mutate.killing import Fate, decide

HEALTHY = [0.91, 0.93, 0.9, 0.95, 0.92]


def test_a_clear_drop_for_every_seed_kills() -> None:
    found = decide(HEALTHY, [value - 0.4 for value in HEALTHY], higher_is_better=True)
    assert (found.fate, found.pairs, found.cliffs_delta) == (Fate.KILLED, 5, 1.0)
    assert found.p_value == pytest.approx(1 / 32)
    assert (found.original, found.mutant) == (0.92, pytest.approx(0.52))


def test_the_same_drop_of_an_error_is_an_improvement() -> None:
    found = decide(HEALTHY, [value - 0.4 for value in HEALTHY], higher_is_better=False)
    assert (found.fate, found.cliffs_delta) == (Fate.SURVIVED, -1.0)


def test_equal_measurements_survive() -> None:
    assert decide(HEALTHY, HEALTHY, higher_is_better=True).fate is Fate.SURVIVED


def test_a_drop_that_is_significant_but_small_survives() -> None:
    """Each seed is a hair worse; the two samples overlap almost completely."""
    original = [0.1 * number for number in range(10)]
    found = decide(original, [value - 0.001 for value in original], higher_is_better=True)
    assert found.p_value < 0.05
    assert found.cliffs_delta < 0.33
    assert found.fate is Fate.SURVIVED


def test_a_drop_for_one_seed_of_five_survives() -> None:
    assert decide(HEALTHY, [0.1, *HEALTHY[1:]], higher_is_better=True).fate is Fate.SURVIVED


@pytest.mark.parametrize("better", [True, False])
def test_what_is_no_number_is_worse_than_any_number(better: bool) -> None:
    assert decide(HEALTHY, [nan] * 5, higher_is_better=better).fate is Fate.KILLED


def test_an_infinite_error_is_worse_than_any_number() -> None:
    assert decide(HEALTHY, [inf] * 5, higher_is_better=False).fate is Fate.KILLED


def test_fewer_than_five_pairs_decide_nothing() -> None:
    found = decide([*HEALTHY[:4], nan], [0.1] * 5, higher_is_better=True)
    assert found.fate is Fate.UNDECIDED
    assert found.reason == "only 4 of 5 pairs can be compared; 5 are needed"


def test_samples_of_different_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="5 measurements of the original cannot be paired with 4"):
        decide(HEALTHY, [0.1] * 4, higher_is_better=True)
