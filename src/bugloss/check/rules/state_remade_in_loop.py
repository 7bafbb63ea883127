"""state-remade-in-loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, move_before
from bugloss.check.views.training_loops import loops_around, trains
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import LoopNode, loads, stored, targets_of, walk_here
from bugloss.source.training.gradient_steps import made_by


class StateRemadeInLoop(Rule):
    """An optimizer, scheduler or gradient scaler is made again in every iteration.

    ## What it finds
    ``torch.optim`` classes and schedulers, and ``compile`` of Keras, inside a loop that trains a network which was made
    before the loop.

    ## Why it hurts
    Momentum and the averages of Adam start from zero each time, a schedule never gets past its first step, and a
    compiled model forgets the state of its optimizer.

    ## Example
    ```python
    for epoch in range(epochs):
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        train(model, optimizer)
    ```

    ## Use instead
    ```python
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        train(model, optimizer)
    ```

    ## Known problems
    Not reported where the arguments depend on the loop, or where the iteration makes a new network.

    ## Fix safety
    Suggested: the line moves before the loop.

    ## References
    PyTorch documentation, torch.optim: constructing an optimizer.
    """

    name = "state-remade-in-loop"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("loop", "optimizer")
    words = ("optim", "Optim")
    faulty = (
        """\
import torch

def run(model, loader, criterion):
    for epoch in range(10):
        optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
        """\
import torch

def run(model, loader, criterion, optimizer):
    for x, y in loader:
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        scheduler.step()
""",
    )
    clean = (
        """\
import torch
from torch import nn

def run(loader, criterion, rates):
    for rate in rates:
        model = nn.Linear(3, 1)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
        """\
import torch

def run(model, loader, criterion):
    for epoch in range(10):
        optimizer = torch.optim.Adam(model.parameters(), lr=0.001 / (epoch + 1))
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
        """\
import torch

def attack(images, loss_of):
    for image in images:
        image = image.clone().requires_grad_(True)
        optimizer = torch.optim.Adam([image], lr=0.1)
        for step in range(10):
            optimizer.zero_grad()
            loss_of(image).backward()
            optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def run(model, loader, criterion):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for role in ("optimizer", "scheduler", "scaler"):
            for statement, name, call in made_by(program, role):
                loops = loops_around(program, statement)
                if not loops or statement not in loops[0].body or not trains(program, loops[0].body):
                    continue
                if not loads([*call.args, *(one.value for one in call.keywords)]) & _set_in(loops, statement):
                    message = f"{name} is made again in each iteration and loses its state: make it before the loop"
                    fix = move_before(program, statement, loops[-1], f"make the {role} once, before the loop")
                    yield self.finding(program, call, message, fix=fix)


def _set_in(loops: list[LoopNode], statement: ast.stmt) -> set[str]:
    """Names that the loops give a value, the optimizer itself left out."""
    nodes = [node for loop in loops for node in (loop, *walk_here(loop.body)) if node is not statement]
    targets = [target for node in nodes for target in _targets(node)]
    return {name for target in targets for name in stored(target)}


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.For):
        return [node.target]
    if isinstance(node, ast.With):
        return [item.optional_vars for item in node.items if item.optional_vars is not None]
    return targets_of(node)
