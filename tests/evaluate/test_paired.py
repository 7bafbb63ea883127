"""Wilcoxon's signed-rank test against values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.evaluate.paired import compare


def test_five_better_of_five_by_hand() -> None:
    # All signs positive: 2 of the 2^5 ways are as extreme, p = 2/32.
    found = compare([2, 3, 4, 5, 6], [1, 1, 1, 1, 1])
    assert found.p == pytest.approx(2 / 32)
    assert found.rank_biserial == 1
    assert found.difference == 3


def test_differences_one_and_minus_two_by_hand() -> None:
    # Ranks 1 (+) and 2 (-): sums 1 of 3; all of 0, 1, 2, 3 are at least 0.5 from the middle 1.5.
    found = compare([1, 0], [0, 2])
    assert found.p == 1
    assert found.rank_biserial == pytest.approx((1 - 2) / 3, abs=1e-4)


def test_ties_share_ranks_and_equal_pairs_say_nothing() -> None:
    # Differences 1, 1, 1 share rank 2: three of three positive, 2 of 8 ways.
    found = compare([1, 1, 1, 5, 5], [0, 0, 0, 5, 5])
    assert (found.pairs, found.differ, found.p) == (5, 3, pytest.approx(2 / 8))


def test_many_pairs_use_the_normal_distribution() -> None:
    # Thirty differences of 1 .. 30, all positive: W = 465, mean 232.5, deviation sqrt(9455 / 4) = 48.618, z = 4.7719.
    found = compare([float(n) for n in range(1, 31)], [0.0] * 30)
    assert found.p == pytest.approx(1.825e-6, rel=0.01)


def test_equal_methods_do_not_differ() -> None:
    assert compare([0.5, 0.2], [0.5, 0.2]).p == 1
    assert compare([], []).p == 1


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=40))
def test_the_order_of_methods_only_turns_the_sign(pairs: list[tuple[int, int]]) -> None:
    first, second = [float(a) for a, _ in pairs], [float(b) for _, b in pairs]
    one, other = compare(first, second), compare(second, first)
    assert one.p == pytest.approx(other.p)
    assert one.difference == pytest.approx(-other.difference)
    assert 0 <= one.p <= 1 and one.rank_biserial == pytest.approx(-other.rank_biserial)
