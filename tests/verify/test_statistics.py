"""Mann–Whitney and A12 against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.verify.statistics import a12, mann_whitney

samples = st.lists(st.integers(-5, 5).map(float) | st.just(math.inf), min_size=1, max_size=8)


def test_a12_counts_the_pairs_in_which_the_first_is_larger() -> None:
    # 3 beats 1 and 2, ties with 3; 4 beats all three: (2 + 0.5 + 3) of 6.
    assert a12([3, 4], [1, 2, 3]) == pytest.approx(5.5 / 6)


def test_samples_apart_have_an_a12_of_one_or_nothing_and_equal_ones_of_a_half() -> None:
    assert a12([4, 5], [1, 2]) == 1
    assert a12([1, 2], [4, 5]) == 0
    assert a12([7, 7], [7, 7]) == 0.5


def test_mann_whitney_without_ties_by_hand() -> None:
    # U = 0 of 9, mean 4.5, variance 3 * 3 * 7 / 12 = 5.25, z = (4.5 - 0.5) / sqrt(5.25) = 1.745743, p = 0.0808556.
    assert mann_whitney([1, 2, 3], [4, 5, 6]) == pytest.approx(0.0808556, abs=1e-7)


def test_mann_whitney_with_ties_by_hand() -> None:
    # 1 loses all; 2 ties once; 3 beats 2 and ties once: U = 0 + 0.5 + 1.5 = 2 of 9. Two pairs tie: 2 * (8 - 2) = 12.
    # Variance 9 / 12 * (7 - 12 / 30) = 4.95, z = (2.5 - 0.5) / sqrt(4.95) = 0.898933, p = 0.3686882.
    assert mann_whitney([1, 2, 3], [2, 3, 4]) == pytest.approx(0.3686882, abs=1e-6)


def test_thirty_seeds_apart_are_far_beyond_chance() -> None:
    # U = 0 of 900, variance 900 * 61 / 12 = 4575, z = 449.5 / 67.6387 = 6.645604, p = 3.02e-11.
    assert mann_whitney([0.1 + i / 1000 for i in range(30)], [0.9 + i / 1000 for i in range(30)]) == pytest.approx(
        3.02e-11, rel=0.01
    )


def test_where_all_values_are_equal_there_is_nothing_to_see() -> None:
    assert mann_whitney([1, 1], [1, 1, 1]) == 1
    assert mann_whitney([math.inf] * 6, [math.inf] * 6) == 1


@given(samples, samples)
def test_both_statistics_are_symmetric_and_stay_in_bounds(first: list[float], second: list[float]) -> None:
    assert a12(first, second) + a12(second, first) == pytest.approx(1)
    assert 0 <= mann_whitney(first, second) <= 1
    assert mann_whitney(first, second) == pytest.approx(mann_whitney(second, first))


@given(samples, samples)
def test_only_the_order_of_the_values_counts(first: list[float], second: list[float]) -> None:
    stretched = [[value * 3 + 100 for value in sample] for sample in (first, second)]
    assert mann_whitney(*stretched) == pytest.approx(mann_whitney(first, second))
    assert a12(*stretched) == pytest.approx(a12(first, second))
