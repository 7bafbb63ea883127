"""Measures of rankings against values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.evaluate.retrieval import estimate, score_ranking, summarise


def test_average_precision_by_hand() -> None:
    # Found at ranks 2 and 4: (1/2 + 2/4) / 2; the first one at rank 2.
    hit = score_ranking("x", ["a", "b", "c", "d"], {"b", "d"})
    assert (hit.average_precision, hit.reciprocal_rank) == (0.5, 0.5)


def test_a_true_file_that_is_not_ranked_is_never_found() -> None:
    assert score_ranking("x", ["a", "b"], {"a", "z"}).average_precision == 0.5
    assert score_ranking("x", [], {"a"}).reciprocal_rank == 0


def test_a_path_that_is_named_twice_counts_once() -> None:
    assert score_ranking("x", ["a", "a", "a"], {"a", "b"}).average_precision == 0.5


def test_without_truth_there_is_nothing_to_score() -> None:
    with pytest.raises(ValueError, match="no true file"):
        score_ranking("x", ["a"], set())


def test_means_and_their_intervals() -> None:
    hits = [score_ranking("x", ["a", "b"], {"a"})] * 3 + [score_ranking("y", ["a", "b"], {"b"})]
    scores = summarise(hits)
    assert (scores.reports, scores.top1.value, scores.top5.value) == (4, 0.75, 1.0)
    assert scores.mean_average_precision.value == pytest.approx((3 + 0.5) / 4)
    assert scores.top1.low < 0.75 < scores.top1.high
    assert estimate([]).value == 0


@given(st.permutations("abcdefgh"), st.sets(st.sampled_from("abcdefgh"), min_size=1))
def test_a_perfect_ranking_scores_one_and_no_other_more(ranked: list[str], truth: set[str]) -> None:
    hit = score_ranking("x", ranked, truth)
    best = score_ranking("x", [*sorted(truth), *sorted(set("abcdefgh") - truth)], truth)
    assert best.average_precision == pytest.approx(1) and best.reciprocal_rank == 1
    assert 0 < hit.average_precision <= 1 + 1e-9
    assert hit.within(8) and (hit.within(1) == (ranked[0] in truth))
