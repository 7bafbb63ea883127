"""Forecasts and the survey of stacks: what running would cost here, said without building anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_corpus import TinyCorpus, bare_environment

from bugloss.run.environment import Environment
from bugloss.stacks.stack import load_stack, stack_names
from bugloss.workflows.environments import survey
from bugloss.workflows.forecast import forecast


@pytest.fixture
def no_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PATH", "HOME", "PYENV_ROOT", "UV_PYTHON_INSTALL_DIR", "CONDA_PREFIX"):
        monkeypatch.setenv(name, str(tmp_path / "nothing"))


def test_a_bug_whose_environment_is_built_costs_its_own_seconds(tiny: TinyCorpus, bare: Environment) -> None:
    tiny.add(seconds=4)
    expected = forecast(tiny.load()["torch-0001"])
    assert (expected.built, expected.build_seconds, expected.run_seconds) == (True, 0, 4)
    assert expected.sentence == f"torch ({load_stack('torch').title}), built; a test takes about 4 s"


def test_a_bug_with_other_pins_needs_an_environment_of_its_own(
    tiny: TinyCorpus, bare: Environment, own_cache: Path
) -> None:
    tiny.add(pins=["numpy==1.26.4"])
    expected = forecast(tiny.load()["torch-0001"])
    assert not expected.built
    assert expected.build_seconds == load_stack("torch").build_seconds
    assert "not built: about" in expected.sentence
    assert [path.name for path in (own_cache / "environments").iterdir()] == [bare.digest]


def test_the_last_build_measured_here_is_the_better_forecast(
    tiny: TinyCorpus, bare: Environment, own_cache: Path
) -> None:
    tiny.add(pins=["numpy==1.26.4"])
    (own_cache / "builds.jsonl").write_text(
        '{"stack": "torch", "seconds": 99}\nnoise\n{"stack": "keras3", "seconds": 7}\n'
    )
    assert forecast(tiny.load()["torch-0001"]).build_seconds == 99


def test_a_missing_interpreter_is_said_with_the_command_that_gets_it(tiny: TinyCorpus, no_python: None) -> None:
    tiny.add(framework="keras", bug="keras-0001", stack="keras2-tf1")
    expected = forecast(tiny.load()["keras-0001"])
    assert not expected.built
    assert "no Python 3.7 was found" in expected.sentence
    assert "install 3.7" in expected.sentence


def test_the_survey_shows_every_stack_and_what_is_built_beside_them(bare: Environment) -> None:
    other = bare_environment("torch", pins=("numpy==1.26.4",))
    states = survey()
    assert [state.stack for state in states] == [*stack_names(), "torch"]
    built = {state.digest for state in states if state.built}
    assert built == {bare.digest, other.digest}
    assert states[-1].title == "torch with other pins"


def test_the_survey_shows_a_stack_without_its_python_and_why(no_python: None) -> None:
    states = {state.stack: state for state in survey()}
    assert list(states) == stack_names()
    assert not any(state.built for state in states.values())
    problem = states["keras2-tf1"].problem
    assert problem is not None
    assert "install 3.7" in problem
