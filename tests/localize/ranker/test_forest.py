"""The learned ranker: what it computes by hand, and that the shipped one fits the features that are made for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bugloss.core.learned import RowSets, Tree
from bugloss.core.report import Report
from bugloss.intake.reading import take_apart
from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.question.query import read_query
from bugloss.localize.ranker.evidence import first_look
from bugloss.localize.ranker.features import second_look
from bugloss.localize.ranker.forest import (
    Forest,
    Linear,
    RegressionTree,
    load_forest,
    read_forest,
    standardised,
)
from bugloss.localize.ranker.ranker import Bugloss


def test_a_tree_by_hand() -> None:
    # x0 <= 1 ? 5 : (x1 <= 2 ? 6 : 7)
    tree = RegressionTree(Tree((0, 1), (1.0, 2.0), (-1, -2), (1, -3)), [5, 6, 7])
    rows = RowSets([[1, 2, 2], [9, 2, 3]])
    assert rows.lanes(tree.values(rows)) == (5, 6, 7)
    stump = RegressionTree(Tree((), (), (), ()), [3])
    assert rows.lanes(tree.values(rows) + stump.values(rows)) == (8, 9, 10)


def test_sets_of_rows() -> None:
    rows = RowSets([[0.5, 0.1, 0.5, 0.9]])
    assert rows.at_most(0, 0.0) == 0 and rows.at_most(0, 0.9) == rows.all
    assert rows.lanes(rows.at_most(0, 0.5)) == (1, 1, 1, 0)
    assert rows.lanes(2**30 * rows.all) == (2**30,) * 4


def test_a_linear_model_by_hand() -> None:
    # (3 - 1) / 2 * 10 + clip((100 - 0) / 1) * 1 = 10 + 4, and (1 - 1) / 2 * 10 + clip((-100 - 0) / 1) * 1 = 0 - 4
    assert Linear([1.0, 0.0], [2.0, 1.0], [10.0, 1.0]).values([[3, 1], [100, -100]]) == [14, -4]


def test_trees_count_twice_and_columns_are_found_by_name() -> None:
    tree = RegressionTree(Tree((0,), (0.5,), (-1,), (-2,)), [0, 1_000_000])
    forest = Forest(("a", "b"), "b", 2.0, (tree,), Linear([0, 0], [1, 1], [1, 0]))
    # grown = 2 b + [a > 0.5] = 0 and 3, summed = a = 0 and 1; standardised each is -1 and 1.
    assert forest.score({"b": [0.0, 1.0], "a": [0.0, 1.0]}) == [-3, 3]
    assert forest.probability(0) == 0.5


def test_the_lanes_hold_the_sum_of_the_shipped_trees() -> None:
    assert sum(max(tree.leaves) for tree in load_forest().trees) < 2**32


def test_leaves_below_zero_count_as_they_should() -> None:
    # x <= 0.5 ? -0.25 : 0.5, then x <= 0.5 ? 0.125 : -1; together -0.125 and -0.5
    trees = [[[0], [0.5], [-1], [-2], [-0.25, 0.5]], [[0], [0.5], [-1], [-2], [0.125, -1.0]]]
    linear = [[0.0], [1.0], [0.0]]
    data = {"names": ["x"], "guess": "x", "guess_weight": 0.0, "trees": trees, "linear": linear, "calibration": [1, 0]}
    assert read_forest(data).score({"x": [0.0, 1.0]}) == pytest.approx([2, -2])
    assert read_forest(data).score({"x": []}) == []


def test_equal_values_are_standardised_to_nothing() -> None:
    assert standardised([2.0, 2.0]) == [0, 0]
    assert standardised([]) == []


def test_the_shipped_model_knows_every_feature(open_library: Callable[[], FileCorpus]) -> None:
    query = read_query(take_apart(Report("focal_loss fails", "")))
    features = second_look(first_look(open_library(), query))
    assert set(load_forest().names) == set(features.names)
    assert all(len(column) == len(features.files) for column in features.columns.values())


@pytest.mark.parametrize("body", ["", "x" * 5_000, "```\n" + "a = 1\n" * 500 + "```", "\0\ud800"])
def test_odd_reports_are_ranked_too(open_library: Callable[[], FileCorpus], body: str) -> None:
    scores = Bugloss().score(open_library(), Question(read_query(take_apart(Report("", body)))))
    assert len(scores) == 4 and all(0 <= score <= 1 for score in scores)
