"""accumulated-gradients-cleared."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_after
from bugloss.source.program import Program
from bugloss.source.text.syntax import walk
from bugloss.source.training.gradient_steps import GradientStep, gradient_blocks


class AccumulatedGradientsCleared(Rule):
    """Gradients that should be accumulated are cleared in every iteration.

    ## What it finds
    A loop that calls ``zero_grad()`` and ``backward()`` in every iteration, but ``optimizer.step()`` only in every
    k-th.

    ## Why it hurts
    Each step uses the gradient of the last small batch alone. The others are computed and thrown away, and a loss that
    is divided by k makes the steps k times too small.

    ## Example
    ```python
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        (criterion(model(x), y) / 4).backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
    ```

    ## Use instead
    ```python
    for i, (x, y) in enumerate(loader):
        (criterion(model(x), y) / 4).backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
    ```

    ## Known problems
    Only conditions that count iterations with ``%`` are known.

    ## Fix safety
    Suggested: ``zero_grad()`` is moved behind the step.

    ## References
    PyTorch documentation, AMP examples: gradient accumulation.
    """

    name = "accumulated-gradients-cleared"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("zero_grad",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        (criterion(model(x), y) / 4).backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
""",
        """\
import torch

class Trainer:
    def epoch(self):
        for number, batch in enumerate(self.loader, 1):
            self.model.zero_grad()
            loss = self.model(**batch) / self.every
            loss.backward()
            last = number == len(self.loader)
            if number % self.every == 0 or last:
                self.optimizer.step()
                self.scheduler.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        (criterion(model(x), y) / 4).backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
        """\
import torch

def train(actor, critic, loader, actor_optimizer, critic_optimizer):
    for i, x in enumerate(loader):
        critic_optimizer.zero_grad()
        critic(x).mean().backward()
        critic_optimizer.step()
        if i % 5 == 0:
            actor_optimizer.zero_grad()
            actor(x).mean().backward()
            actor_optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader, criterion, optimizer):
    for i, (x, y) in enumerate(loader):
        (criterion(model(x), y) / 4).backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for block in gradient_blocks(program):
            clears, backwards, steps = (block.anywhere(role) for role in ("zero_grad", "backward", "optimizer"))
            if not isinstance(block.owner, (ast.For, ast.While)) or [len(clears), len(steps)] != [1, 1]:
                continue
            every_time = clears[0] in block.steps and all(step in block.steps for step in backwards)
            if every_time and backwards and _counts(program, steps[0], block.owner):
                message = (
                    f"{clears[0].receiver}.zero_grad() clears the gradients in every iteration, but "
                    f"{steps[0].receiver}.step() comes in every k-th: clear them after the step"
                )
                yield self.finding(program, clears[0].call, message, fix=_fix(program, clears[0], steps[0]))


def _counts(program: Program, step: GradientStep, loop: ast.For | ast.While) -> bool:
    """Whether the step stands, inside of the loop, below a condition with a remainder."""
    node: ast.AST = step.statement
    while node is not loop:
        parent = program.parents[node]
        if isinstance(parent, ast.If) and node in parent.body:
            return any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod) for part in walk(parent.test))
        node = parent
    return False


def _fix(program: Program, clear: GradientStep, step: GradientStep) -> Fix | None:
    if not isinstance(clear.statement, ast.Expr) or not isinstance(step.statement, ast.Expr):
        return None
    return suggested(move_after(program, clear.statement, step.statement))
