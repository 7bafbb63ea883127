"""The tests and effect sizes of the studies, against values worked out by hand or known from textbooks."""

from __future__ import annotations

import math

import pytest

from bugloss.study.significance import (
    cohens_d,
    cohens_kappa,
    compare_counts,
    compare_means,
    compare_pairs,
    compare_two_shares,
)


def test_cohens_d_is_the_difference_in_pooled_standard_deviations() -> None:
    assert cohens_d([2, 4, 6], [1, 3, 5]) == pytest.approx(0.5)  # both have a variance of 4


def test_a_t_test_of_equal_samples_finds_nothing() -> None:
    found = compare_means([1, 2, 3, 4], [1, 2, 3, 4])
    assert (found.p, found.effect) == (1.0, 0.0)


def test_a_sample_of_one_cannot_be_compared() -> None:
    assert math.isnan(compare_means([1.0], [1.0, 2.0]).p)


def test_chi_square_leaves_out_what_nobody_has() -> None:
    with_empty, without = compare_counts([[10, 20, 0], [30, 5, 0]]), compare_counts([[10, 20], [30, 5]])
    assert with_empty == without
    assert without.p < 0.001


def test_counts_of_a_single_group_cannot_be_compared() -> None:
    assert math.isnan(compare_counts([[3, 4]]).p)


def test_fishers_test_knows_the_tea_lady() -> None:
    assert compare_two_shares((4, 0), (0, 4)).p == pytest.approx(2 / 70)


def test_paired_values_are_compared_pair_by_pair() -> None:
    assert compare_pairs([10, 20, 31], [9, 19, 29]).p < compare_means([10, 20, 31], [9, 19, 29]).p


def test_kappa_is_agreement_beyond_chance() -> None:
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohens_kappa(first, second) == pytest.approx(0.4)  # 35 of 50 agree, 25 by chance


def test_kappa_of_one_label_throughout_is_one() -> None:
    assert cohens_kappa(["a", "a"], ["a", "a"]) == 1.0
