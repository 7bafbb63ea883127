"""unscaled-gradient-accumulation."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, receiver_of, walk
from bugloss.source.training.gradient_steps import GradientBlock, gradient_blocks, made_by


class UnscaledGradientAccumulation(Rule):
    """Accumulated gradients are summed without dividing the loss.

    ## What it finds
    A loop that calls ``backward()`` in every round but steps and clears only in every k-th, while nothing divides
    the loss by k.

    ## Why it hurts
    The step follows the sum over k batches, not their mean: the learning rate is k times what it says, and clipping
    thresholds no longer fit.

    ## Example
    ```python
    loss.backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
    ```

    ## Use instead
    ```python
    (loss / 4).backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
    ```

    ## Known problems
    Advice only, where the optimizer is not known to be sensitive to the scale of gradients (Adam and its kin are
    not). A sum may be meant.

    ## Fix safety
    No edit: the loss may be logged too.

    ## References
    Hugging Face documentation, Performing gradient accumulation; PyTorch documentation, AMP examples: gradient
    accumulation.
    """

    name = "unscaled-gradient-accumulation"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.ITERATIONS
    groups = ("loop",)
    words = ("backward",)
    faulty = (
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, accumulate):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y) / accumulate
        loss.backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        if i % 100 == 0:
            print(i)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions(
            ("accelerat", "fabric", 'reduction="sum"', "deepspeed")
        ):
            return
        kinds = {target: method_of(call) for _, target, call in made_by(program, "optimizer")}
        for block in gradient_blocks(program):
            backwards = block.of("backward")
            if not isinstance(block.owner, ast.For) or len(backwards) != 1 or len(block.anywhere("backward")) != 1:
                continue
            every = _every(program, block)
            if every is not None and not any(
                isinstance(getattr(node, "op", None), ast.Div | ast.Mult) for node in _around_loss(block.owner)
            ):
                step = block.anywhere("optimizer")[0]
                severity = Severity.WARNING if kinds.get(step.receiver) == "SGD" else Severity.ADVICE
                message = f"gradients of {every} batches are summed, not averaged: nothing divides the loss by {every}"
                fix = _divided(program, backwards[0].call, every)
                yield self.finding(program, backwards[0].call, message, severity=severity, fix=fix)


def _divided(program: Program, backward: ast.Call, every: str) -> Fix | None:
    receiver = receiver_of(backward)
    if receiver is None:
        return None
    return suggested(replace_node(program, receiver, f"({program.source.segment(receiver)} / {every})"))


def _every(program: Program, block: GradientBlock) -> str | None:
    """How many rounds one step takes: k in ``if i % k == 0`` around both step and clear."""
    steps, clears = block.anywhere("optimizer"), block.anywhere("zero_grad")
    if len(steps) != 1 or len(clears) != 1 or block.of("optimizer", "zero_grad"):
        return None
    test = program.parents.get(steps[0].statement)
    if not isinstance(test, ast.If) or program.parents.get(clears[0].statement) is not test:
        return None
    counted = [node for node in walk(test.test) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)]
    return ast.unparse(counted[0].right) if counted else None


def _around_loss(loop: ast.For) -> Iterator[ast.AST]:
    """Everything in the statements that have to do with a loss, or that end in ``backward``."""
    for statement in loop.body:
        text = ast.dump(statement)
        if not isinstance(statement, ast.If) and ("loss" in text.lower() or "backward" in text):
            yield from walk(statement)
