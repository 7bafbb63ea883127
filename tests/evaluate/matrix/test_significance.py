"""McNemar, Holm and the estimates, against values worked out by hand."""

from __future__ import annotations

import pytest

from bugloss.evaluate.matrix.significance import correct_by_holm, mcnemar, pair_test, seconds_test


@pytest.mark.parametrize(
    ("only_first", "only_second", "p"),
    [(0, 0, 1.0), (5, 0, 2 / 32), (0, 5, 2 / 32), (1, 1, 1.0), (6, 1, 2 * (1 + 7) / 128), (3, 3, 1.0)],
)
def test_mcnemar_counts_the_splits_that_are_at_least_as_uneven(only_first: int, only_second: int, p: float) -> None:
    assert mcnemar(only_first, only_second) == pytest.approx(p)


def test_a_pair_says_on_how_many_bugs_each_is_alone() -> None:
    found = pair_test("a", "b", "detected", [(True, False)] * 4 + [(False, True)] + [(True, True)] * 5)
    assert (found.bugs, found.only_first, found.only_second) == (10, 4, 1)
    assert found.difference.value == pytest.approx(0.3)
    assert found.difference.low <= 0.3 <= found.difference.high
    assert found.odds_ratio == pytest.approx(4.5 / 1.5)
    assert found.cohens_g == pytest.approx(0.3)


def test_holm_multiplies_the_least_by_their_number_and_never_falls_below_the_one_before() -> None:
    tests = [pair_test("a", "b", name, [(True, False)] * count) for name, count in (("x", 6), ("y", 5), ("z", 1))]
    assert [test.p for test in tests] == [2 / 64, 2 / 32, 1.0]
    assert [test.p_holm for test in correct_by_holm(tests)] == [6 / 64, 4 / 32, 1.0]


def test_holm_keeps_the_order_of_the_tests() -> None:
    tests = [pair_test("a", "b", "x", [(True, False)]), pair_test("a", "b", "y", [(True, False)] * 9)]
    assert [test.measure for test in correct_by_holm(tests)] == ["x", "y"]


def test_seconds_are_compared_pair_by_pair() -> None:
    found = seconds_test("a", "b", [(1.0, 2.0), (1.0, 3.0), (2.0, 4.0)])
    assert found.comparison.difference == pytest.approx(-5 / 3, abs=1e-3)
    assert found.comparison.rank_biserial == -1.0
