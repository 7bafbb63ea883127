"""Suggestions for misspelt names."""

from __future__ import annotations

from bugloss.core.suggestion import did_you_mean


def test_the_nearest_name_is_offered() -> None:
    assert did_you_mean("tocrh", ["keras", "torch"]) == "Did you mean 'torch'?"


def test_several_near_names_are_offered_the_nearest_first() -> None:
    assert did_you_mean("keras3", ["keras-0003", "keras2", "keras3-tf"]).startswith("Did you mean 'keras2' or ")


def test_without_a_near_name_few_choices_are_all_named() -> None:
    assert did_you_mean("zzz", ["keras", "torch"]) == "Known: keras, torch."


def test_without_a_near_name_many_choices_are_not() -> None:
    assert did_you_mean("zzz", [f"name-{number}" for number in range(13)]) == ""


def test_where_there_is_nothing_to_choose_from_nothing_is_said() -> None:
    assert did_you_mean("zzz", []) == ""
