"""missing-backward."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of, walk_here
from bugloss.source.training.gradient_steps import GradientBlock, GradientStep, gradient_blocks, made_by


class MissingBackward(Rule):
    """An optimizer steps, but nothing computes gradients.

    ## What it finds
    A loop that computes a loss and calls the ``step()`` of an optimizer created in the file, while the file neither
    calls ``backward`` nor sets gradients in any other way.

    ## Why it hurts
    The gradients are ``None``, no step has an effect, and the loss stays at its initial value.

    ## Example
    ```python
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        optimizer.step()
    ```

    ## Use instead
    ```python
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    ```

    ## Known problems
    A loop that passes its loss to an unknown function is not reported.

    ## Fix safety
    Suggested: ``backward()`` is inserted before the step, for the loss that was assigned last.

    ## References
    PyTorch documentation, torch.optim: Taking an optimization step.
    """

    name = "missing-backward"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = (".step(",)
    faulty = (
        """\
import torch

def train(model, loader):
    criterion = torch.nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        backpropagate(loss)
        optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = criterion(model(x), y)
        for weight, gradient in zip(model.parameters(), torch.autograd.grad(loss, list(model.parameters()))):
            weight.grad = gradient
        optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader):
    criterion = torch.nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions(
            ("backward", "autograd", ".grad", "backprop", "closure")
        ):
            return
        known = {target for _, target, _ in made_by(program, "optimizer")}
        for block in gradient_blocks(program):
            for step in block.of("optimizer"):
                loss = _loss(block, step) if isinstance(block.owner, (ast.For, ast.While)) else None
                if loss is None or step.receiver not in known or step.call.args:
                    continue
                fix = insert_line(
                    program, step.statement, f"{loss}.backward()", "compute the gradients before the step"
                )
                message = f"{step.receiver}.step() has no gradients: {loss}.backward() is never called"
                yield self.finding(program, step.call, message, fix=fix)


def _loss(block: GradientBlock, step: GradientStep) -> str | None:
    """The last loss that the loop assigns before the step, unless a function gets it that may compute gradients."""
    assert isinstance(block.owner, (ast.For, ast.While))
    before = [statement for statement in block.owner.body if statement.lineno < step.statement.lineno]
    assigned = [s for s in before if isinstance(s, ast.Assign) and "loss" in dotted(s.targets[0]).lower()]
    if not assigned or not block.anywhere("zero_grad"):
        return None
    name = dotted(assigned[-1].targets[0])
    for node in walk_here(block.owner.body):
        harmless = method_of(node) in {"print", "append", "float", "format", "item", "isnan", "info"}
        if isinstance(node, ast.Call) and not harmless and name in {dotted(argument) for argument in node.args}:
            return None
    return name
