"""From the crashing line back to where its values were made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.source.origins.origins import origins_on
from bugloss.source.project import Project

PROGRAM = """\
import numpy as np

SCALE = 3


def make(count):
    inputs = [[0.0] for _ in range(count)]
    labels = [1] * count
    return inputs, labels


class Net:
    def __init__(self, width):
        self.noise = np.zeros(width)
        self.width = width

    def forward(self, x):
        y = x + self.noise
        return y * SCALE


def train(data, rate=0.1):
    net = Net(4)
    for batch in data:
        loss = net.forward(batch)
    model.fit(data, targets)


values, targets = make(8)
copied = values
train(copied, rate=0.5)
"""


def lines(line: int, *names: str, text: str = PROGRAM) -> dict[str, int]:
    project = Project({"train.py": text}.get)
    return {name: origin.made.line for name, origin in origins_on(project, "train.py", line, names).items()}


def test_an_attribute_leads_to_the_constructor() -> None:
    assert lines(18)["self.noise"] == 14


def test_a_parameter_leads_through_its_caller_and_a_copy_into_the_function_that_made_it() -> None:
    assert lines(26, "data") == {"data": 7}


def test_a_global_leads_to_what_a_function_returned_for_it() -> None:
    assert lines(26, "targets") == {"targets": 8}


def test_a_constant_leads_to_its_line() -> None:
    assert lines(19)["SCALE"] == 3


def test_the_head_of_a_loop_is_what_counts() -> None:
    assert lines(24) == {"data": 7}


def test_the_argument_of_a_constructor_is_found() -> None:
    assert lines(14, "width") == {"width": 23}


def test_names_that_the_line_does_not_use_are_not_followed() -> None:
    assert lines(19, "values") == lines(19)


@pytest.mark.parametrize("line", [0, 1, 5, 999])
def test_lines_without_values_have_no_origins(line: int) -> None:
    assert lines(line) == {}


def test_names_that_lead_in_a_circle_come_to_an_end() -> None:
    circle = "def f(a):\n    return f(a)\n\nx = y\ny = x\nf(x)\n"
    lines(2, text=circle)
    lines(6, text=circle)


@given(st.lists(st.sampled_from(PROGRAM.splitlines()), max_size=20), st.integers(0, 25))
def test_any_program_can_be_looked_through(parts: list[str], line: int) -> None:
    lines(line, text="\n".join(parts))
