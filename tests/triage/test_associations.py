"""Apriori: what the definition says, and what mlxtend says where it is installed."""

from __future__ import annotations

import importlib.util
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.taxonomy import Category, EditAction, Information
from bugloss.triage.associations import frequent_itemsets, mine
from bugloss.triage.transactions import ReproducedBugs, as_items, associations, shipped, within

BASKETS = st.lists(st.frozensets(st.sampled_from("abcde"), max_size=5), min_size=1, max_size=12)


@given(BASKETS, st.integers(1, 4))
def test_itemsets_are_those_that_enough_transactions_have(baskets: list[frozenset[str]], least: int) -> None:
    every = [frozenset(items) for size in range(1, 6) for items in combinations("abcde", size)]
    expected = {items: sum(items <= basket for basket in baskets) for items in every}
    assert frequent_itemsets(baskets, least) == {items: count for items, count in expected.items() if count >= least}


def test_a_rule_has_support_confidence_and_lift() -> None:
    baskets = [frozenset(text) for text in ("ab", "ab", "a", "b", "c")]
    rule = next(rule for rule in mine(baskets) if rule.antecedent == {"a"} and rule.consequent == {"b"})
    assert (rule.support, rule.confidence) == (0.4, 2 / 3)
    assert rule.lift == pytest.approx((2 / 3) / (3 / 5))


def test_larger_itemsets_can_be_left_out() -> None:
    assert max(len(items) for items in frequent_itemsets([frozenset("abc")], largest=2)) == 2


def test_there_are_148_transactions_of_each_kind_and_85_from_stack_overflow() -> None:
    for kind in (EditAction, Information):
        assert len(shipped(kind)) == 148
        assert len(within(shipped(kind), ReproducedBugs.STACK_OVERFLOW)) == 85


def test_recommendations_come_from_counts() -> None:
    first = associations(Category.TRAINING, EditAction, ReproducedBugs.STACK_OVERFLOW)[0]
    assert (first.item, first.rule.count, first.rule.of) == (EditAction.INPUT_DATA_GENERATION, 16, 26)
    tensor = {
        found.item: found.rule.confidence
        for found in associations(Category.TENSOR, Information, ReproducedBugs.STACK_OVERFLOW)
    }
    assert tensor[Information.LOGS] == pytest.approx(20 / 21)


def test_a_type_without_actions_on_record_falls_back_on_all_bugs() -> None:
    found = associations(Category.GPU, EditAction, ReproducedBugs.STACK_OVERFLOW)
    assert found[0].rule.of == 85


@pytest.mark.skipif(importlib.util.find_spec("mlxtend") is None, reason="mlxtend (extra 'studies') is not installed")
@pytest.mark.parametrize("scope", list(ReproducedBugs))
def test_mlxtend_finds_the_same_rules(scope: ReproducedBugs) -> None:
    import os

    import pandas
    from mlxtend.frequent_patterns import apriori, association_rules

    os.environ.pop("KMP_INIT_AT_FORK", None)  # scikit-learn, which comes with it, sets this
    baskets = [as_items(bug) for bug in within(shipped(EditAction), scope)]
    names = sorted({item for basket in baskets for item in basket})
    frame = pandas.DataFrame([[name in basket for name in names] for basket in baskets], columns=names)
    itemsets = apriori(frame, min_support=3 / len(baskets) - 1e-9, use_colnames=True)
    theirs = association_rules(itemsets, metric="confidence", min_threshold=0.3)
    ours = list(mine(baskets, least=3, confidence=0.3))
    keys = {(rule.antecedent, rule.consequent): rule for rule in ours}
    assert len(theirs) == len(ours)
    for row in theirs.itertuples():
        rule = keys[row.antecedents, row.consequents]
        assert (rule.support, rule.confidence, rule.lift) == pytest.approx((row.support, row.confidence, row.lift))
