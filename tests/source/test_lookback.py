"""Looking back through a computation: gradients that flow, tests that guard, formulas as written."""

from __future__ import annotations

import ast

import pytest

from bugloss.check.views.numeric import cause_of_range, definition, square_of
from bugloss.source.lookback import guarded, needs_gradient, without_gradient
from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile, parse_source
from bugloss.source.values.values import Constant


def program_of(text: str) -> Program:
    source = parse_source(f"import torch\n{text}", "snippet.py")
    assert isinstance(source, SourceFile)
    return Program(source)


@pytest.mark.parametrize(
    ("expression", "flows"),
    [
        ("layer(x)", True),
        ("torch.relu(layer(x)).mean() * 2", True),
        ("torch.nn.Parameter(torch.zeros(3)) + 1", True),
        ("layer(x).detach() + 1", False),
        ("layer(x).argmax(dim=1)", False),
        ("torch.relu(x)", False),
    ],
)
def test_gradients_flow_from_weights_until_they_are_cut_off(expression: str, flows: bool) -> None:
    program = program_of(f"layer = torch.nn.Linear(3, 2)\nx = torch.zeros(4, 3)\nresult = {expression}")
    assert needs_gradient(program.followed.scope.get("result") or Constant(None)) is flows


@pytest.mark.parametrize(
    ("body", "safe"),
    [
        ("if x > 0:\n        return torch.log(x)", True),
        ("assert x > 0\n    return torch.log(x)", True),
        ("return torch.where(x > 0, torch.log(x), x)", True),
        ("if y > 0:\n        return torch.log(x)", False),
        ("return torch.log(x)", False),
    ],
)
def test_a_test_of_the_same_variable_guards(body: str, safe: bool) -> None:
    program = program_of(f"def f(x, y):\n    {body}\n")
    (operation,) = program.calls("torch.log")
    assert isinstance(operation.node, ast.Call)
    assert guarded(program, operation.node, operation.node.args[0]) is safe


def test_a_decorator_or_a_context_switches_gradients_off() -> None:
    program = program_of(
        "@torch.no_grad()\ndef f(x):\n    return torch.log(x)\n"
        "def g(x):\n    with torch.inference_mode():\n        return torch.exp(x)\n"
        "def h(x):\n    return torch.sqrt(x)\n"
    )
    found = [without_gradient(program, next(program.calls(f"torch.{name}"))) for name in ("log", "exp", "sqrt")]
    assert found == [True, True, False]


@pytest.mark.parametrize(
    ("expression", "cause"),
    [
        ("1 - torch.sigmoid(x)", "sigmoid"),
        ("torch.relu(x).sum(dim=1)", "relu"),
        ("torch.softmax(x, 1)[:, 0]", "softmax"),
        ("torch.abs(x)", None),
        ("torch.rand(3)", None),
        ("torch.sigmoid(x).mean()", None),
    ],
)
def test_the_cause_of_a_range_is_something_that_reaches_its_ends(expression: str, cause: str | None) -> None:
    value = program_of(f"result = {expression}").followed.scope.get("result") or Constant(None)
    assert cause_of_range(value) == cause


@pytest.mark.parametrize("written", ["x ** 2", "x * x", "torch.square(x)", "x.pow(2)", "torch.pow(x, 2)"])
def test_squares_are_recognised_as_they_are_written(written: str) -> None:
    program = program_of(f"def f(x):\n    y = {written}\n    return y\n")
    (returned,) = program.nodes[ast.Return]
    assert isinstance(returned, ast.Return) and returned.value is not None
    base = square_of(program, definition(program, returned.value))
    assert isinstance(base, ast.Name) and base.id == "x"
