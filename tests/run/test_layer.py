"""Layers: further packages over an environment, which stays as it is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from wheelhouse import write_wheel

from bugloss.core.errors import BuildFailed
from bugloss.run.environment import Environment, installed, provide, remove
from bugloss.run.layer import Additions, provide_layer
from bugloss.stacks.stack import Stack

SAY = "import extra, tinypack; print(extra.answer, tinypack.__file__)"


@pytest.fixture
def below(tiny_stack: Stack, wheels: Path, own_cache: Path) -> Environment:
    write_wheel(wheels, "extra", "1.0")
    write_wheel(wheels, "extra", "2.0")
    return provide(tiny_stack)


def say(environment: Environment, code: str) -> str:
    return subprocess.run([environment.python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_a_layer_adds_a_package_and_sees_those_below(below: Environment) -> None:
    layer = provide_layer(below, Additions(("extra",)))
    answer, place = say(layer, SAY).split()
    assert answer == "42"
    assert place.startswith(below.path)
    assert layer.has_module("extra")
    assert layer.has_module("tinypack")
    assert not below.has_module("extra")


def test_a_layer_holds_only_the_difference(below: Environment) -> None:
    layer = provide_layer(below, Additions(("extra", "tinypack")))
    own = {path.name for path in layer.site_folders[0].iterdir()}
    assert "extra.py" in own
    assert "tinypack.py" not in own
    assert Path(below.path) in layer.folders


def test_a_layer_is_built_once_whatever_the_order(below: Environment, wheels: Path) -> None:
    write_wheel(wheels, "other", "1.0")
    notes: list[str] = []
    first = provide_layer(below, Additions(("extra", "other")), notify=notes.append)
    assert notes
    assert provide_layer(below, Additions(("other", "extra")), notify=pytest.fail) == first
    assert provide_layer(below, Additions()) == below


def test_what_is_below_keeps_its_release(below: Environment) -> None:
    with pytest.raises(BuildFailed):
        provide_layer(below, Additions(("tinypack==2.0",)))
    assert "tinypack==1.0" in provide_layer(below, Additions(("extra",))).packages


def test_bounds_hold_for_what_is_added(below: Environment) -> None:
    layer = provide_layer(below, Additions(("extra",), bounds=("extra<=1.0",)))
    assert (layer.site_folders[0] / "extra-1.0.dist-info").is_dir()


def test_a_layer_goes_with_its_stack_and_counts_as_gone_without_it(below: Environment) -> None:
    layer = provide_layer(below, Additions(("extra",)))
    Path(below.path).rename(f"{below.path}-away")
    assert layer.digest not in [found.digest for found in installed()]
    Path(f"{below.path}-away").rename(below.path)
    assert {found.digest for found in remove(below.stack)} == {below.digest, layer.digest}


def test_no_code_of_an_added_package_runs_while_it_is_built(below: Environment, wheels: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    code = f"import os; open({os.fspath(trace)!r}, 'w')\n"
    write_wheel(wheels, "sly", "1.0", code, files={"sly.pth": f"import os; open({os.fspath(trace)!r}, 'w')\n"})
    provide_layer(below, Additions(("sly",)))
    assert not trace.exists()


def test_a_stand_in_is_ours_and_silent(below: Environment) -> None:
    layer = provide_layer(below, Additions(stand_ins=("wandb",)))
    code = "import wandb; r = wandb.init(config={'lr': 1}); wandb.log({'a': 1}); print(wandb.config.lr, wandb.Image(3), r.name)"
    assert say(layer, code) == "1  bugloss"
    assert layer.added == ("wandb",)
