"""The observing probe with unusual Keras 3 programs: nothing changes for them, and nothing untrue is said of them."""

from __future__ import annotations

import pytest
from forked_programs import Pair, assert_unnoticed, assert_untroubled, run_all
from odd_programs.keras_loops import PROGRAMS

from bugloss.core.errors import EnvironmentFailure
from bugloss.run.environment import provide
from bugloss.stacks.stack import load_stack

STEPS = {
    "tape": 40, "graph-tape": 40, "gan": 80, "gan-compiled": 50, "bfloat16": 80, "own-step": 80, "on-batch": 40,
    "saved": 96, "predicts": 0, "generator": 80, "part-of-a-pipeline": 120, "attack": 0, "penalty": 40,
}  # fmt: skip


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    """Every program, plain and observed."""
    try:
        python = provide(load_stack("keras3")).python
    except EnvironmentFailure as error:
        pytest.skip(f"not run: {error.message} {error.hint}")
    return run_all(python, ("tensorflow", "keras"), PROGRAMS, tmp_path_factory.mktemp("odd"))


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_does_not_notice(pairs: dict[str, Pair], name: str) -> None:
    """One that saved its model while it was observed could not load it: Keras took our ``compile`` for its own."""
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
def test_samples_that_a_pipeline_leaves_out_are_not_counted(pairs: dict[str, Pair]) -> None:
    recording = pairs["part-of-a-pipeline"].seen.recording
    assert [data.samples for data in recording.data] == [50, 64, 90]
    assert recording.data[0].features is not None  # which rows are left is known, as nothing was shuffled before
    assert recording.data[1].features is None


@pytest.mark.stack
@pytest.mark.slow
def test_of_two_threads_that_train_one_is_followed(pairs: dict[str, Pair]) -> None:
    """The other is taken up when the first is over, for what it has left to do."""
    assert 30 <= len(pairs["threads"].seen.recording.steps) < 60
