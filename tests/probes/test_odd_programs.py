"""The observing probe with unusual PyTorch programs: nothing changes for them, and nothing untrue is said of them."""

from __future__ import annotations

import pytest
from forked_programs import Pair, assert_unnoticed, assert_untroubled, run_all
from odd_programs import torch_loops, torch_models, torch_processes

from bugloss.core.errors import EnvironmentFailure
from bugloss.run.environment import provide
from bugloss.stacks.stack import load_stack

PROGRAMS = {**torch_loops.PROGRAMS, **torch_models.PROGRAMS, **torch_processes.PROGRAMS}

# How many steps each program makes that an optimizer, or the program itself, can be seen to make.
STEPS = {
    "workers": 24, "bfloat16": 40, "bfloat16-scaler": 40, "gan": 120, "by-hand-model": 60, "accumulated": 30, "lbfgs": 8,
    "step-in-backward": 40, "data-parallel": 40, "copied": 40, "sparse": 120, "forked-training": 30,
    "thread-after-main": 80, "exit-3": 30, "sudden-exit": 30, "lost-folder": 20, "empty": 0, "inference": 0,
    "attack": 0, "style": 60, "compiled": 12, "spawned": 30,
}  # fmt: skip


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    """Every program, plain and observed."""
    try:
        python = provide(load_stack("torch")).python
    except EnvironmentFailure as error:
        pytest.skip(f"not run: {error.message} {error.hint}")
    # Optimizers import the compiler's front end when they are first made: once here, for all.
    return run_all(python, ("torch", "torch._dynamo"), PROGRAMS, tmp_path_factory.mktemp("odd"))


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_does_not_notice(pairs: dict[str, Pair], name: str) -> None:
    assert_unnoticed(PROGRAMS[name], pairs[name])


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_fails_and_no_alarm_is_raised(pairs: dict[str, Pair], name: str) -> None:
    assert_untroubled(pairs[name])


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
def test_steps_are_counted(pairs: dict[str, Pair], name: str) -> None:
    assert len(pairs[name].seen.recording.steps) == STEPS[name]


@pytest.mark.stack
@pytest.mark.slow
def test_what_cannot_be_seen_is_said(pairs: dict[str, Pair]) -> None:
    for name in ("compiled", "scripted"):
        cost = pairs[name].seen.recording.cost
        assert cost is not None and cost.mode == "steps-only" and cost.why


@pytest.mark.stack
@pytest.mark.slow
def test_losses_of_tensors_without_a_model_are_not_added_to_a_model_s_first_step(pairs: dict[str, Pair]) -> None:
    """Four backward passes came before the model's first; its first loss was told as the sum of all five."""
    losses = pairs["by-hand-model"].seen.recording.loss_values
    assert 0.5 < losses[0] < 0.9 and losses[-1] < 0.2


@pytest.mark.stack
@pytest.mark.slow
def test_an_exception_of_the_program_s_own_is_recorded(pairs: dict[str, Pair]) -> None:
    crash = pairs["raised"].seen.recording.crash
    assert crash is not None and crash.exception.kind == "Odd"
    assert pairs["exit-3"].seen.recording.crash is None


@pytest.mark.stack
@pytest.mark.slow
def test_a_second_thread_that_trains_is_mentioned(pairs: dict[str, Pair]) -> None:
    """It is taken up when the first is over, for what it has left to do."""
    recording = pairs["threads"].seen.recording
    assert 40 <= len(recording.steps) < 80
    assert any(occasion.kind == "second-training-thread" for occasion in recording.occasions)
