"""Shipped stacks pin everything; pins of a bug change what they name and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bugloss.stacks
from bugloss.core.errors import InvalidInput
from bugloss.stacks.stack import Stack, load_stack, stack_names

STACK = Stack("one", "a stack", ("3.11",), ("a-b==1.0", "c==2.0"), megabytes=1, build_seconds=1)


def test_the_promised_stacks_are_shipped() -> None:
    assert set(stack_names()) >= {"torch", "keras3", "tf2", "keras2-tf1"}


@pytest.mark.parametrize("name", stack_names())
def test_a_shipped_stack_pins_every_package_exactly(name: str) -> None:
    stack = load_stack(name)
    assert stack.name == name
    assert stack.packages
    for package in stack.packages:
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]*==[0-9][0-9a-z.]*", package), package


@pytest.mark.parametrize("name", stack_names())
def test_a_shipped_stack_names_each_package_once_and_in_order(name: str) -> None:
    projects = [package.partition("==")[0] for package in load_stack(name).packages]
    assert projects == sorted(set(projects))


@pytest.mark.parametrize("name", stack_names())
def test_a_shipped_stack_says_what_it_is_and_what_it_costs(name: str) -> None:
    stack = load_stack(name)
    assert stack.title
    assert stack.megabytes > 100
    assert stack.build_seconds > 0
    assert all(re.fullmatch(r"3\.\d+", version) for version in stack.python)


def test_stacks_of_the_tf1_era_ask_for_its_python() -> None:
    assert set(load_stack("keras2-tf1").python) <= {"3.6", "3.7"}


def test_an_unknown_stack_is_refused_with_a_suggestion() -> None:
    with pytest.raises(InvalidInput, match="no stack called 'keras2-tf'") as caught:
        load_stack("keras2-tf")
    assert "keras2-tf1" in caught.value.hint


@pytest.mark.parametrize("name", ["", "../stacks/torch", "torch.toml", "TORCH"])
def test_a_stack_is_named_exactly(name: str) -> None:
    with pytest.raises(InvalidInput):
        load_stack(name)


def test_a_pin_replaces_the_same_project_however_it_is_spelt() -> None:
    assert STACK.with_pins(["A_b==1.5"]).packages == ("A_b==1.5", "c==2.0")
    assert STACK.with_pins(["a.b==1.5"]).packages == ("a.b==1.5", "c==2.0")


def test_a_pin_of_a_new_project_is_added() -> None:
    assert STACK.with_pins(["b==3"]).packages == ("a-b==1.0", "b==3", "c==2.0")


def test_no_pins_leave_the_stack_as_it_is() -> None:
    assert STACK.with_pins([]) == STACK


@pytest.mark.parametrize(
    "pin", ["torch==2.13.0+cpu", "x==1!2.0", "x==1.0rc1", "x[extra]==1.0", "zope.interface==5", "x == 1"]
)
def test_exact_pins_of_every_form_are_taken(pin: str) -> None:
    assert pin in STACK.with_pins([pin]).packages


@pytest.mark.parametrize(
    "pin",
    [
        "x",
        "x>=1",
        "x==",
        "==1.0",
        "x==1.*",
        "x==1.0,<2",
        "x===1.0",
        "x~=1.0",
        "x==1.0; python_version<'3'",
        "x @ https://host/x.whl",
        "--index-url=https://evil/==1",
        "-r other.txt==1",
        "x==1.0\n--index-url https://evil/",
        "x==1.0 --hash=sha256:0",
        "",
    ],
)
def test_anything_else_than_one_name_and_one_version_is_no_pin(pin: str) -> None:
    """A bug's pins are written into a requirements file, where a second line or an option would be obeyed."""
    with pytest.raises(InvalidInput, match="not an exact pin"):
        STACK.with_pins([pin])


def test_the_data_files_hold_nothing_else_than_stacks() -> None:
    data = {path.name for path in Path(bugloss.stacks.__path__[0]).iterdir() if not path.name.startswith("__")}
    assert data == {
        "stack.py",
        "pip_options.py",
        "companion.py",
        "companions",
        *(f"{name}.toml" for name in stack_names()),
    }
