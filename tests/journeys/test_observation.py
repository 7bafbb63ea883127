"""``bugloss run``, ``diagnose`` and ``report`` as people use them, with PyTorch and without any framework."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine

from bugloss.run.environment import Environment

PLAIN = """\
import sys

print("working with", sys.argv[1:])
sys.exit(len(sys.argv) - 1)
"""

LAZY = """\
import torch
from torch import nn

RATE = 1e-9


def main():
    torch.manual_seed(0)
    x = torch.randn(256, 8)
    y = (x[:, 0] > 0).long()
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    for epoch in range(25):
        for start in range(0, 256, 64):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x[start : start + 64]), y[start : start + 64])
            loss.backward()
            optimizer.step()
    print("weights", sum(float(p.double().sum()) for p in model.parameters()).hex())


main()
"""

CRASH = """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(20, 2))
model(torch.randn(4, 8))
"""


@pytest.fixture
def here(tmp_path: Path, shared_cache: Path) -> CommandLine:
    """The command line in an empty project, with the environments that are built already."""
    folder, home = tmp_path / "project", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    return CommandLine(folder, {"HOME": str(home), "NO_COLOR": "1", "BUGLOSS_CACHE": str(shared_cache)})


def latest(cli: CommandLine) -> Path:
    return max((cli.folder / ".bugloss" / "runs").iterdir())


def test_a_program_without_a_framework_runs_as_it_is_and_bugloss_says_so(here: CommandLine) -> None:
    (here.folder / "plain.py").write_text(PLAIN)
    done = here("run", "plain.py", "--", "--epochs", "3")
    assert done.code == 2
    assert done.out == "working with ['--epochs', '3']\n"
    assert "used neither PyTorch nor Keras" in done.err
    facts = json.loads((latest(here) / "run.json").read_text())
    assert (facts["exit_code"], facts["arguments"]) == (2, ["--epochs", "3"])


REFUSING = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, required=True)
print(parser.parse_args())
"""


def test_a_script_that_does_not_accept_its_arguments_is_reported_as_such(here: CommandLine) -> None:
    """It was reported as a program that uses neither PyTorch nor Keras."""
    (here.folder / "train.py").write_text(REFUSING)
    done = here("run", "train.py")
    assert done.code == 2
    said = " ".join(done.err.split())
    assert "train.py does not accept its arguments: the following arguments are required: --rate" in said
    assert "train.py:5" in done.err
    assert "neither PyTorch nor Keras" not in done.err


def notebook(*cells: str) -> str:
    return json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": cell} for cell in cells]})


def test_a_notebook_runs_as_a_script_and_places_name_its_cells(here: CommandLine) -> None:
    cells = (
        "%matplotlib inline\n!pip install \\\n  x\nimport os",
        "%%time\nprint('two')\ndisplay(os)",
        "\nraise SystemExit('no data')",
    )
    (here.folder / "train.ipynb").write_text(notebook(*cells))
    done = here("run", "train.ipynb")
    assert (done.code, done.out) == (1, "two\n")
    assert "train.ipynb:cell 3:2" in done.err


def test_a_file_that_is_not_a_notebook_is_refused(here: CommandLine) -> None:
    (here.folder / "train.ipynb").write_text("print('hello')\n")
    done = here("run", "train.ipynb")
    assert done.code == 2
    assert "train.ipynb cannot be run: not a notebook" in done.err


def test_a_script_that_is_not_there_is_one_clear_sentence(here: CommandLine) -> None:
    for verb in ("run", "diagnose", "report"):
        done = here(verb, "gone.py")
        assert done.code == 2
        assert "gone.py" in done.err


def test_a_missing_interpreter_is_one_clear_sentence(here: CommandLine) -> None:
    (here.folder / "plain.py").write_text(PLAIN)
    done = here("run", "plain.py", "--python", "/no/such/python")
    assert done.code == 3
    assert "cannot be started" in done.err


def test_a_program_that_never_ends_is_stopped(here: CommandLine) -> None:
    (here.folder / "endless.py").write_text(
        "import time\nprint('on and on', flush=True)\nwhile True:\n    time.sleep(0.1)\n"
    )
    done = here("run", "endless.py", "--timeout", "2")
    assert done.code != 0
    assert "was stopped by the time limit" in done.err


@pytest.mark.stack
def test_a_training_that_does_not_learn_is_watched_explained_and_unchanged(
    here: CommandLine, stack: Callable[[str], Environment]
) -> None:
    python = stack("torch").python
    (here.folder / "lazy.py").write_text(LAZY)
    watched = here("run", "lazy.py", "--python", python)
    unwatched = here("run", "lazy.py", "--python", python, "--budget", "0.001")
    assert watched.code == 0
    assert watched.out == unwatched.out  # the sum of all weights, to the bit
    assert "✗ learning-rate-too-low" in watched.err
    assert "lazy.py:4" in watched.err  # where the rate was typed, not where it is used
    page = (latest(here) / "report.html").read_text()
    assert "learning-rate-too-low" in page
    document = here("report", "last", "--json").document
    assert document["schema"] == "bugloss.diagnosis/1"
    assert document["causes"][0]["cause"] == "learning-rate-too-low"
    assert document["outcome"] == "finished"


@pytest.mark.stack
@pytest.mark.slow
def test_an_experiment_confirms_the_cause(here: CommandLine, stack: Callable[[str], Environment]) -> None:
    stack("torch")
    (here.folder / "lazy.py").write_text(LAZY)
    done = here("diagnose", "lazy.py", "--experiment", "--budget", "70", "--no-properties", "--json")
    assert done.code == 1
    first = done.document["causes"][0]
    assert (first["cause"], first["confirmed"]) == ("learning-rate-too-low", True)
    assert any("0.001" in text and "better for" in text for text in first["evidence"]), first["evidence"]
    assert (here.folder / "lazy.py").read_text() == LAZY  # the user's file is as it was


@pytest.mark.stack
def test_a_crash_names_the_layer_and_the_line(here: CommandLine, stack: Callable[[str], Environment]) -> None:
    stack("torch")
    (here.folder / "crash.py").write_text(CRASH)
    done = here("diagnose", "crash.py", "--json", "--tool", "deeplocalize")
    assert [answer["tool"] for answer in done.document["tools"]] == ["deeplocalize"]
    assert done.code == 1
    assert done.document["outcome"] == "crashed"
    first = done.document["causes"][0]
    assert first["fix_pattern"] == "layer-dimension"
    assert {"path": "crash.py", "line": 4}.items() <= first["locations"][0].items()
    assert "torch-0003" in [solved["bug"] for solved in done.document["similar"]]


def test_an_unknown_tool_is_refused_before_anything_runs(here: CommandLine) -> None:
    (here.folder / "crash.py").write_text(CRASH)
    done = here("diagnose", "crash.py", "--tool", "crystal-ball", "--json")
    assert done.code == 2
    assert "value-spectra" in done.document["hint"]
    assert not (here.folder / ".bugloss").exists()


def test_a_module_runs_sandboxed_with_its_package_arguments_and_standard_input(here: CommandLine) -> None:
    """With an interpreter of the user's own: nothing has to be built."""
    package = here.folder / "pkg"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "parts.py").write_text("value = 3\n")
    text = "import sys\nfrom pkg.parts import value\nprint(value, sys.argv[1:], sys.stdin.read())\nraise ValueError(value)\n"
    (package / "train.py").write_text(text)
    (here.folder / "answers.txt").write_text("yes")
    command = [sys.executable, "-m", "bugloss", "diagnose", "-m", "pkg.train", "--python", sys.executable]
    command += ["--isolation", "limits", "--json", "--", "--epochs", "2"]
    with (here.folder / "answers.txt").open() as answers:
        done = subprocess.run(
            command, stdin=answers, cwd=here.folder, env=here.variables, capture_output=True, text=True, check=False
        )
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert told["environment"]["python"] == sys.executable
    assert told["environment"]["reason"] == "named by --python"
    assert told["ending"]["site"] == {
        "path": "pkg/train.py", "line": 4, "function": "<module>", "text": "raise ValueError(value)", "cell": None,
    }  # fmt: skip
    assert "3 ['--epochs', '2'] yes" in (latest(here) / "output.txt").read_text()


def test_a_module_that_is_not_there_and_packages_that_are_none_are_bad_input(here: CommandLine) -> None:
    (here.folder / "train.py").write_text("import torch\n")
    for words in (("diagnose", "-m", "gone"), ("run", "-m", "gone"), ("diagnose", "train.py", "--with", "-r x")):
        done = here(*words)
        assert done.code == 2, done.err
    assert here("diagnose", "train.py", "--here", "--with", "pandas").code == 2
