"""Three classifiers by hand: what each votes, and how the majority is found."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.codec import decode, encode
from bugloss.core.learned import Tree
from bugloss.observe.tools.classifiers import Classifiers, DecisionTree, Neighbours, Scaling, load_classifiers
from bugloss.observe.tools.deepfd import FAULTS, HEALTHY
from bugloss.observe.tools.run_features import FEATURES

STUMP = DecisionTree(Tree((0,), (0.5,), (-1,), (-2,)), ((1.0, 0.0), (0.25, 0.75)))
ALWAYS_SECOND = DecisionTree(Tree((), (), (), ()), ((0.0, 1.0),))


def classifiers(tree: DecisionTree = STUMP, forest: tuple[DecisionTree, ...] = (STUMP,)) -> Classifiers:
    neighbours = Neighbours(3, ((0.0, 0.0), (0.1, 0.0), (0.2, 0.0), (1.0, 0.0), (1.1, 0.0)), (0, 0, 0, 1, 1))
    return Classifiers(
        ("sound", "faulty"), ("a", "b"), (Scaling(0, 1, 0), Scaling(0, 1, 0)), neighbours, tree, forest, {}
    )


def test_all_three_agree() -> None:
    prediction = classifiers().predict({"a": 0.0, "b": 0.0})
    assert prediction.label == "sound"
    assert prediction.confidence == 1.0


def test_the_majority_wins() -> None:
    prediction = classifiers(forest=(ALWAYS_SECOND,)).predict({"a": 0.0, "b": 0.0})
    assert prediction.votes == {"k-nearest-neighbours": "sound", "decision-tree": "sound", "random-forest": "faulty"}
    assert (prediction.label, prediction.confidence) == ("sound", pytest.approx(2 / 3))


def test_a_forest_is_the_mean_of_its_trees() -> None:
    prediction = classifiers(forest=(STUMP, STUMP, ALWAYS_SECOND)).predict({"a": 0.0, "b": 0.0})
    assert prediction.votes["random-forest"] == "sound"


def test_what_is_missing_is_filled_in() -> None:
    filled = Scaling(2.0, 4.0, 10.0)
    assert (filled.apply(math.nan), filled.apply(2.0)) == (2.0, 0.0)
    assert classifiers().predict({}).label == "sound"


@given(st.floats())
def test_a_scaled_value_is_a_number_within_bounds(value: float) -> None:
    assert -10 <= Scaling(1.0, 0.5, 1.0).apply(value) <= 10


def test_they_survive_the_way_through_json() -> None:
    assert decode(Classifiers, json.loads(json.dumps(encode(classifiers())))) == classifiers()


def test_the_ones_that_come_with_the_package_fit_the_features_and_faults() -> None:
    shipped = load_classifiers()
    assert shipped.features == tuple(FEATURES)
    assert set(shipped.labels) == {HEALTHY, *FAULTS}
    assert len(shipped.scalings) == len(shipped.features) == len(shipped.neighbours.rows[0])
    assert len(shipped.neighbours.rows) == len(shipped.neighbours.labels) > 120
