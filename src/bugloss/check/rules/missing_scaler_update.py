"""missing-scaler-update."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line_after
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.training.gradient_steps import gradient_blocks, gradient_steps


class MissingScalerUpdate(Rule):
    """The gradient scaler is never updated.

    ## What it finds
    ``scaler.step(optimizer)`` in a loop of a file in which no scaler's ``update()`` is called.

    ## Why it hurts
    The scaler does not allow a second step before an update: the second iteration raises a RuntimeError.

    ## Example
    ```python
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    ```

    ## Use instead
    ```python
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    ```

    ## Known problems
    Only scalers that are created in the file, or whose name contains "scaler", are checked.

    ## Fix safety
    Suggested: with several optimizers the update belongs after the last step.

    ## References
    PyTorch documentation, torch.amp.GradScaler.update.
    """

    name = "missing-scaler-update"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("scaler",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        scaler.step(optimizer)
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        scaler.step(optimizer)
        scaler.update()
""",
        """\
import torch

def step_all(scaler, optimizers):
    for optimizer in optimizers:
        scaler.step(optimizer)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader, criterion, optimizer):
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        scaler.step(optimizer)
        scaler.update()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or any(step.role == "update" for step in gradient_steps(program)):
            return
        for block in gradient_blocks(program):
            steps = block.of("scaler")
            scaled = any(".scale(" in step.receiver for step in block.of("backward"))
            if not isinstance(block.owner, (ast.For, ast.While)) or len(steps) != 1 or not scaled:
                continue
            receiver = steps[0].receiver
            message = f"{receiver} is never updated, so the second {receiver}.step() raises a RuntimeError"
            text = f"{receiver}.update()"
            fix = insert_line_after(program, steps[0].statement, text, "call update() after the step")
            yield self.finding(program, steps[0].call, message, fix=fix)
