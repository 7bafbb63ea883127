"""gradients-cleared-once-per-epoch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, method_of
from bugloss.source.training.gradient_steps import gradient_blocks


class GradientsClearedOncePerEpoch(Rule):
    """Gradients are cleared per epoch, but used per batch.

    ## What it finds
    An inner loop over batches that calls ``backward()`` and ``step()`` in every iteration, while ``zero_grad()`` is
    called only in the outer loop.

    ## Why it hurts
    Every step follows the sum of all batches of the epoch so far, so the steps grow during the epoch.

    ## Example
    ```python
    for epoch in range(epochs):
        optimizer.zero_grad()
        for x, y in loader:
            criterion(model(x), y).backward()
            optimizer.step()
    ```

    ## Use instead
    ```python
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
    ```

    ## Known problems
    Inner loops over ``range`` are not reported: they may repeat one batch.

    ## Fix safety
    Suggested: ``zero_grad()`` is added to the inner loop.

    ## References
    PyTorch documentation, Optimizer.zero_grad.
    """

    name = "gradients-cleared-once-per-epoch"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("zero_grad",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for epoch in range(10):
        optimizer.zero_grad()
        for x, y in loader:
            criterion(model(x), y).backward()
            optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for epoch in range(10):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            (criterion(model(x), y) / 4).backward()
            if i % 4 == 3:
                optimizer.step()
                optimizer.zero_grad()
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    for epoch in range(10):
        optimizer.zero_grad()
        for x, y in loader:
            criterion(model(x), y).backward()
        optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader, criterion, optimizer):
    for epoch in range(10):
        optimizer.zero_grad()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions((".grad = None", ".grad=None", ".grad.zero_")):
            return
        for block in gradient_blocks(program):
            loop, steps = block.owner, block.of("optimizer")
            if (
                not isinstance(loop, ast.For)
                or method_of(loop.iter) == "range"
                or not block.of("backward")
                or not steps
            ):
                continue
            if block.anywhere("zero_grad") or steps[0].call.args:
                continue
            outer = program.enclosing(loop, ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)
            clears = calls_in(outer.body, "zero_grad") if isinstance(outer, (ast.For, ast.While)) else []
            if clears:
                message = (
                    f"gradients are cleared once per epoch, but {steps[0].receiver}.step() uses them after every batch"
                )
                text = f"{steps[0].receiver}.zero_grad()"
                fix = insert_line(program, loop.body[0], text, "clear the gradients for every batch")
                yield self.finding(program, clears[0], message, fix=fix)
