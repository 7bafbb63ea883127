"""gradients-cleared-before-step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, move_before
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.training.gradient_steps import GradientBlock, GradientStep, gradient_blocks


class GradientsClearedBeforeStep(Rule):
    """Gradients are cleared between backward and step.

    ## What it finds
    ``zero_grad()`` of the same optimizer (or of the network, when there is one optimizer) after ``backward()`` and
    before ``step()`` in one block.

    ## Why it hurts
    The step finds no gradients, so the weights never change and the loss stays where it started.

    ## Example
    ```python
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    ```

    ## Use instead
    ```python
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ```

    ## Known problems
    With several optimizers only a clear of the very optimizer that steps next is reported.

    ## Fix safety
    Suggested: the clear is removed here; it must stand at the start of the round, where the fix puts it when the
    block is a loop.

    ## References
    PyTorch documentation, Optimizer.zero_grad.
    """

    name = "gradients-cleared-before-step"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("zero_grad",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
""",
        """\
import torch

def update(net, loss, opt):
    loss.backward()
    net.zero_grad()
    opt.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
""",
        """\
import torch

def train(first, second, loss_first, loss_second, optimizer_first, optimizer_second):
    for _ in range(10):
        loss_first().backward()
        optimizer_second.zero_grad()
        optimizer_first.step()
        optimizer_first.zero_grad()
        loss_second().backward()
        optimizer_second.step()
""",
        """\
import torch

def update(penalty, loss, optimizer):
    penalty.backward(retain_graph=True)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for block in gradient_blocks(program):
            order = block.anywhere("backward", "zero_grad", "optimizer", "scaler")
            for before, clear, step in zip(order, order[1:], order[2:], strict=False):
                roles = (before.role, clear.role, step.role)
                if roles != ("backward", "zero_grad", "optimizer") or not {before, clear, step} <= {*block.steps}:
                    continue
                optimizers = {other.receiver for other in block.anywhere("optimizer")}
                if clear.receiver != step.receiver and (len(optimizers) > 1 or "optim" in clear.receiver):
                    continue
                message = (
                    f"{clear.receiver}.zero_grad() throws away the gradients that {step.receiver}.step() should use"
                )
                yield self.finding(program, clear.call, message, fix=_fix(program, block, clear))


def _fix(program: Program, block: GradientBlock, clear: GradientStep) -> Fix | None:
    if not isinstance(block.owner, (ast.For, ast.While)) or clear.statement.lineno != clear.statement.end_lineno:
        return None
    title = "clear the gradients at the start of the round instead"
    return move_before(program, clear.statement, block.owner.body[0], title)
