"""Tarantula at layer level is flat: every run executes every layer. The bug-localization study's Table 19 in small."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.tools.tarantula import Tarantula, flat, suspects, suspiciousness

STUCK = [2.3] * 100


def twenty_runs() -> list[Recording]:
    """Nine runs that fall and eleven that stagnate, as in the study; units are active by chance, layer fc2 is faulty."""
    dice = random.Random(0)
    runs = []
    for number in range(20):
        active = {name: {"active": "".join(dice.choice("01") for _ in range(40))} for name in ("fc1", "fc2")}
        runs.append(sketch(falling() if number < 9 else STUCK, layers=active))
    return runs


def test_every_layer_scores_one_half_so_no_layer_is_named() -> None:
    answer = Tarantula().diagnose(twenty_runs())
    layers = [suspect for suspect in answer.suspects if suspect.unit is None]
    assert {suspect.layer: suspect.score for suspect in layers} == {"fc1": 0.5, "fc2": 0.5}
    assert flat(layers)
    assert "All 2 layers score 0.500" in answer.remarks[0]


def test_neurons_scatter_and_do_not_agree_on_a_layer() -> None:
    neurons = [suspect for suspect in Tarantula().diagnose(twenty_runs()).suspects if suspect.unit is not None]
    assert len({suspect.score for suspect in neurons}) > 1
    assert {suspect.layer for suspect in neurons[:10]} == {"fc1", "fc2"}


def test_without_neurons_there_is_no_cause() -> None:
    answer = Tarantula().diagnose([sketch(), sketch(STUCK)])
    assert answer.causes == ()
    assert "units are not ranked" in answer.remarks[-1]


def test_a_layer_that_only_failing_runs_execute_is_named() -> None:
    """Where coverage does differ, as with a branch that some runs take, the formula works as it does for statements."""
    branch = (RecordedLayer("fc1", "Linear"), RecordedLayer("fc2", "Linear"), RecordedLayer("extra", "Linear"))
    answer = Tarantula().diagnose([sketch(), sketch(STUCK, architecture=branch)])
    assert answer.suspects[0].layer == "extra"
    assert "extra" in answer.causes[0].explanation


def test_one_kind_of_run_is_not_enough() -> None:
    answer = Tarantula().diagnose([sketch(STUCK), sketch(STUCK)])
    assert answer.causes == ()
    assert answer.remarks == ("Needs passing and failing runs; 0 passed and 2 failed.",)


@pytest.mark.parametrize(
    ("covered", "score"),
    [((5, 5, 5, 5), 0.5), ((5, 5, 0, 5), 1.0), ((0, 5, 5, 5), 0.0), ((0, 5, 0, 5), 0.0), ((2, 4, 1, 4), 2 / 3)],
)
def test_the_formula(covered: tuple[int, int, int, int], score: float) -> None:
    assert suspiciousness(*covered) == pytest.approx(score)


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.lists(st.text("ab", min_size=1), min_size=1, max_size=6))
def test_what_every_run_executes_is_always_flat(verdicts: list[bool], names: list[str]) -> None:
    everything = frozenset((name, None) for name in names)
    ranking = suspects([everything for passed in verdicts if passed], [everything for passed in verdicts if not passed])
    assert flat(ranking)
