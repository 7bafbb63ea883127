"""The small statistics that detectors judge curves by."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.observe.trends import (
    block_means,
    blocks,
    correlation,
    finite,
    noise,
    persistent,
    ranks,
    robust_deviation,
    share,
    trend,
    turning_share,
)

NUMBERS = st.floats(-1e6, 1e6)
CURVES = st.lists(NUMBERS, min_size=1, max_size=200)


def random_walkers(count: int, seed: int = 0) -> list[float]:
    chance = Random(seed)
    return [chance.gauss(0, 1) for _ in range(count)]


def test_only_numbers_are_finite() -> None:
    assert finite([1.0, None, math.nan, math.inf, -math.inf, -2.0]) == [1.0, -2.0]


def test_deviation_of_normal_numbers_is_found_in_spite_of_outliers() -> None:
    values = [*random_walkers(1000), 1e9, -1e9]
    assert robust_deviation(values) == pytest.approx(1.0, rel=0.1)
    assert robust_deviation([3.0]) == 0.0


def test_noise_is_what_is_left_beside_the_trend() -> None:
    chance = Random(1)
    falling = [100 - 0.5 * index + chance.gauss(0, 2) for index in range(500)]
    assert noise(falling) == pytest.approx(2.0, rel=0.15)
    assert noise([5.0 - index for index in range(50)]) == 0.0


def test_a_curve_that_jumps_now_and_then_is_not_free_of_noise() -> None:
    """The median of its changes is zero, so that mean changes have a say too."""
    assert noise([1.0, 1.0, 1.0, 9.0, 1.0, 1.0, 1.0, 9.0, 1.0, 1.0]) > 0


@given(CURVES, st.integers(1, 60))
def test_blocks_cover_the_curve_and_stay_within_it(values: list[float], count: int) -> None:
    for cut in (blocks(values, count), block_means(values, count)):
        assert len(cut) == min(count, len(values))
        assert min(values) - 1e-6 <= min(cut) <= max(cut) <= max(values) + 1e-6


def test_a_short_curve_is_its_own_blocks() -> None:
    assert blocks([3.0, 1.0, 2.0], 10) == [3.0, 1.0, 2.0]
    assert blocks([], 10) == []


@given(CURVES)
def test_a_trend_turns_with_its_curve(values: list[float]) -> None:
    assert trend([-value for value in values]) == pytest.approx(-trend(values))
    assert trend(values[::-1]) == pytest.approx(-trend(values), abs=0.7)  # blocks are cut in other places


def test_a_trend_tells_falling_from_standing_still() -> None:
    chance = Random(2)
    assert trend([10 - 0.05 * index + chance.gauss(0, 1) for index in range(200)]) < -5
    assert trend([float(index) for index in range(20)]) > 5
    still = [abs(trend(random_walkers(200, seed))) for seed in range(40)]
    assert sum(score > 2 for score in still) <= 5
    assert trend([1.0, 2.0]) == 0.0


def test_noise_turns_in_two_of_three_places_and_a_line_never() -> None:
    assert turning_share(random_walkers(2000)) == pytest.approx(2 / 3, abs=0.05)
    assert turning_share([1.0, 2.0, 2.0, 3.0, 4.0]) == 0.0
    assert turning_share([1.0, 2.0, 1.0, 2.0, 1.0]) == 1.0


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_ranks_keep_the_order_and_their_sum(values: list[int]) -> None:
    places = ranks([float(value) for value in values])
    assert sum(places) == pytest.approx(len(values) * (len(values) - 1) / 2)
    assert all(
        (places[left] < places[right]) == (values[left] < values[right])
        for left in range(len(values))
        for right in range(len(values))
    )


@given(st.lists(NUMBERS, min_size=3, max_size=40, unique=True))
def test_what_rises_together_is_related(values: list[float]) -> None:
    assert correlation(values, sorted(values)) == pytest.approx(correlation(sorted(values), values))
    assert correlation(values, values) == pytest.approx(1.0)
    assert correlation(values, [-value for value in values]) == pytest.approx(-1.0)


def test_what_never_changes_is_related_to_nothing() -> None:
    assert correlation([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]) is None
    assert correlation([1.0, 2.0], [1.0, 2.0]) is None
    assert correlation([1.0, 2.0, 3.0], [1.0, 2.0]) is None


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 5))
def test_persistence_is_a_run_of_true_flags(flags: list[bool], times: int) -> None:
    at = persistent(flags, times)
    runs = [start for start in range(len(flags) - times + 1) if all(flags[start : start + times])]
    assert at == (runs[0] if runs else None)


def test_shares() -> None:
    assert share([True, False, True, True]) == 0.75
    assert share([]) == 0.0
