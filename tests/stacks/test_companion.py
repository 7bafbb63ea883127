"""The table of companions: modules, packages, and what each stack gets of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss import probes
from bugloss.stacks.companion import (
    bounds_of,
    companion_of,
    packages,
    read_releases,
    release_for,
    without_other_frameworks,
)
from bugloss.stacks.stack import load_stack, stack_names


def test_modules_are_named_once_and_in_order() -> None:
    modules = [one.module for one in packages()]
    assert modules == sorted(set(modules))
    assert len(modules) >= 150


@pytest.mark.parametrize(
    ("module", "package"),
    [("cv2", "opencv-python-headless"), ("sklearn", "scikit-learn"), ("PIL", "pillow"), ("yaml", "pyyaml")],
)
def test_a_module_leads_to_its_package(module: str, package: str) -> None:
    known = companion_of(module)
    assert known is not None
    assert known.package == package


def test_an_unknown_module_is_nobody() -> None:
    assert companion_of("no_such_module") is None


def test_every_stack_and_package_has_its_place_in_the_table_of_releases() -> None:
    table = read_releases()
    assert set(table) == {one.package for one in packages()}
    assert all(set(row) == set(stack_names()) for row in table.values())


def test_releases_are_of_the_stacks_time() -> None:
    assert release_for("pandas", "keras2-tf1") == "1.0.5"
    assert release_for("torchvision", "torch1") == "0.5.0"
    assert release_for("gym", "torch") is None
    assert "pandas<=1.0.5" in bounds_of("keras2-tf1")


def test_nothing_that_is_added_brings_another_framework() -> None:
    refused = set(without_other_frameworks(load_stack("torch").packages))
    assert {"tensorflow<0", "keras<0", "jax<0"} <= refused
    assert "torch<0" not in refused


def test_every_stand_in_is_there() -> None:
    folder = Path(probes.__file__).parent / "stand_ins"
    assert all((folder / one.module / "__init__.py").is_file() for one in packages() if one.is_stand_in)
