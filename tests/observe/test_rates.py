"""Learning rates: their course, what is usual, and how far they moved the weights."""

from __future__ import annotations

import pytest

from bugloss.core.diagnosis import Site
from bugloss.observe.rates import (
    band,
    course,
    epochs_seen,
    given_rate,
    main_optimizer,
    movement,
    scheduler_site,
    scheduler_steps,
    usual_update,
)
from bugloss.observe.recording import Occasion, RecordedOptimizer, Recording
from bugloss.observe.sketch import sketch


def test_the_optimizer_with_most_steps_counts() -> None:
    both = (RecordedOptimizer("optimizer-0", "Adam"), RecordedOptimizer("optimizer-1", "SGD"))
    turns = ["optimizer-0"] * 10 + ["optimizer-1"] * 90
    rates = [0.5] * 10 + [0.1] * 90
    recording = sketch(optimizers=both, steps={"optimizer": turns, "learning_rate": rates})
    assert main_optimizer(recording) == both[1]
    assert {rate for _, rate in course(recording)} == {0.1}


def test_the_largest_rate_of_the_run_counts_else_the_setting() -> None:
    assert given_rate(sketch(steps={"learning_rate": [0.0, 0.1, 0.01]})) == 0.1
    assert given_rate(sketch(steps={"learning_rate": None})) == 0.001
    assert given_rate(Recording()) is None


def test_momentum_lowers_the_usual_rates_of_sgd() -> None:
    plain, heavy = RecordedOptimizer("o", "SGD"), RecordedOptimizer("o", "SGD", {"momentum": 0.9})
    assert band(heavy)[0] < band(plain)[0]
    assert band(heavy)[1] < band(plain)[1]
    assert band(RecordedOptimizer("o", "MyOwnAdam")) == band(RecordedOptimizer("o", "Adam"))


def test_weights_move_at_most_by_the_usual_update_times_the_steps() -> None:
    assert movement(sketch()) == pytest.approx(0.002 * 100)
    assert movement(sketch([])) is None
    assert movement(sketch(samples=())) is None


def test_the_first_large_updates_are_not_usual() -> None:
    first_large = {"fc1": {"update_ratio": [0.9, 0.9, 0.01]}, "fc2": {"update_ratio": 0.002}}
    assert usual_update(sketch(layers=first_large)) == pytest.approx(0.01)


def test_schedules_are_counted_over_all_lines_that_step_them() -> None:
    line = Site("train.py", 30)
    occasions = (Occasion("scheduler-step", 1, 1, line), Occasion("scheduler-step", 99, 9, line), Occasion("clip", 3))
    recording = sketch(occasions=occasions)
    assert scheduler_steps(recording) == 10
    assert scheduler_site(recording) == line
    assert epochs_seen(recording) == 10
