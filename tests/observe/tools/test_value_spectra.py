"""Value spectra: what coverage cannot tell apart, values can."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.observe.recording import Recording, Sample
from bugloss.observe.sketch import SAMPLED, falling, sketch
from bugloss.observe.tools.tarantula import Tarantula
from bugloss.observe.tools.value_spectra import ValueSpectra, cliffs_delta

STUCK = [2.3] * 100
Bent = dict[str, dict[str, Any]]


def runs(fault: Bent, passing: int = 5, failing: int = 5) -> list[Recording]:
    """Seeds of one program: every number jitters by a tenth, failing runs show the fault besides."""
    dice = random.Random(1)

    def jittered(bent: Bent) -> Bent:
        jitter = {
            name: {
                statistic: [value * dice.uniform(0.9, 1.1) for _ in SAMPLED]
                for statistic, value in (
                    ("gradient_rms", 0.01),
                    ("output_std", 0.8),
                    ("weight_rms", 0.2),
                    ("update_ratio", 0.002),
                )
            }
            for name in ("fc1", "fc2")
        }
        return {name: {**numbers, **bent.get(name, {})} for name, numbers in jitter.items()}

    good = [sketch(falling(), layers=jittered({})) for _ in range(passing)]
    return good + [sketch(STUCK, layers=jittered(fault)) for _ in range(failing)]


@pytest.mark.parametrize(
    ("fault", "statistic", "cause"),
    [
        ({"fc1": {"dead_share": 0.9}}, "dead_share", "wrong-activation"),
        ({"fc2": {"gradient_rms": 1e-9}}, "gradient_rms", "faulty-layer"),
        ({"fc2": {"update_ratio": 1e-8}}, "update_ratio", "wrong-learning-rate"),
        ({"fc1": {"weight_rms": 40.0}}, "weight_rms", "wrong-weight-initialization"),
        ({"fc2": {"output_nonfinite": 7}}, "output_nonfinite", "faulty-layer"),
    ],
)
def test_the_faulty_layer_comes_first_and_the_ranking_is_not_flat(fault: Bent, statistic: str, cause: str) -> None:
    recordings = runs(fault)
    answer = ValueSpectra().diagnose(recordings)
    assert answer.suspects[0].layer == next(iter(fault))
    assert answer.suspects[0].score > answer.suspects[1].score + 0.3
    assert statistic in answer.suspects[0].why
    assert answer.causes[0].cause == cause
    assert Tarantula().diagnose(recordings).causes == ()


def test_seeds_that_differ_by_chance_name_no_layer() -> None:
    assert ValueSpectra().diagnose(runs({})).causes == ()


def test_two_runs_are_enough_where_the_difference_lasts() -> None:
    answer = ValueSpectra().diagnose(runs({"fc2": {"gradient_rms": 1e-9}}, 1, 1))
    assert answer.suspects[0].layer == "fc2"


def test_the_location_is_the_line_of_the_layer() -> None:
    (cause,) = ValueSpectra().diagnose(runs({"fc1": {"dead_share": 0.9}})).causes
    assert [(location.path, location.line) for location in cause.locations] == [("train.py", 10)]


def test_of_one_run_the_steps_are_compared() -> None:
    losses = [*falling(2.3, 1.0, 50), *[1.0 + 0.01 * index for index in range(50)]]
    answer = ValueSpectra().diagnose([sketch(losses, layers={"fc1": {"gradient_rms": [0.01] * 6 + [9.0] * 4}})])
    assert answer.suspects[0].layer == "fc1"
    assert "steps of the first" in answer.remarks[0]


def test_values_that_are_no_numbers_count_as_the_largest() -> None:
    answer = ValueSpectra().diagnose(runs({"fc1": {"output_std": math.nan}}))
    assert answer.suspects[0].layer == "fc1"


@pytest.mark.parametrize("recordings", [[], [Recording()], [sketch(samples=())], [sketch(), sketch()]])
def test_nothing_to_compare_is_said(recordings: list[Recording]) -> None:
    answer = ValueSpectra().diagnose(recordings)
    assert answer.causes == ()
    assert answer.remarks


def test_runs_that_were_sampled_differently_can_be_compared() -> None:
    recordings = runs({"fc1": {"dead_share": 0.9}})
    thinned = [replace(run, samples=_every_other(run.samples)) for run in recordings[5:]]
    assert ValueSpectra().diagnose([*recordings[:5], *thinned]).suspects[0].layer == "fc1"


def _every_other(samples: tuple[Sample, ...]) -> tuple[Sample, ...]:
    return samples[::2]


numbers = st.lists(st.floats(allow_nan=False), min_size=1, max_size=8)


@given(numbers, numbers)
def test_the_effect_size_turns_round_with_its_groups(first: list[float], second: list[float]) -> None:
    assert cliffs_delta(first, second) == -cliffs_delta(second, first)
    assert -1 <= cliffs_delta(first, second) <= 1


def test_the_effect_size_of_groups_that_do_not_overlap_is_one() -> None:
    assert cliffs_delta([3, 4], [1, 2]) == 1
    assert cliffs_delta([1, 2], [1, 2]) == 0


def test_a_broken_layer_comes_before_those_that_it_spoils() -> None:
    """Behind it outputs die too, before it gradients do: dead units in fc1 leave fc2 nothing to work with."""
    forward = ValueSpectra().diagnose(runs({"fc1": {"dead_share": 0.9}, "fc2": {"output_std": 1e-6}}))
    assert [suspect.layer for suspect in forward.suspects] == ["fc1", "fc2"]
    backward = ValueSpectra().diagnose(runs({"fc1": {"gradient_rms": 1e-9}, "fc2": {"dead_share": 0.9}}))
    assert [suspect.layer for suspect in backward.suspects] == ["fc2", "fc1"]
