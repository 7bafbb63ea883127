"""missing-zero-grad."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import reachable
from bugloss.source.program import Program
from bugloss.source.text.syntax import LoopNode, method_of
from bugloss.source.training.trainings import Training, WrittenStep, written_trainings


class MissingZeroGrad(Rule):
    """Gradients are never cleared in a training loop.

    ## What it finds
    A loop that calls ``backward()`` and an optimizer's ``step()`` in every iteration, while nothing in the loop or
    its function clears the gradients.

    ## Why it hurts
    ``backward()`` adds to the existing gradients. Each step then uses the sum over all batches so far: the steps grow
    with every iteration, and training diverges or does not converge.

    ## Example
    ```python
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
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
    Gradients that are cleared in a function of another file are not found.

    ## Fix safety
    Suggested: accumulation over batches may be intended.

    ## References
    PyTorch issue 47175.
    """

    name = "missing-zero-grad"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("backward",)
    faulty = (
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y) / 4
        loss.backward()
        if i % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        for p in model.parameters():
            p.grad = None
        criterion(model(x), y).backward()
        optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def reset():
        optimizer.zero_grad()

    for x, y in loader:
        reset()
        criterion(model(x), y).backward()
        optimizer.step()
""",
        """\
import torch

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

def reset():
    optimizer.zero_grad()

for x, y in loader:
    reset()
    criterion(model(x), y).backward()
    optimizer.step()
""",
        """\
import torch.distributed.autograd as dist_autograd

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        with dist_autograd.context() as context:
            dist_autograd.backward(context, [criterion(model(x), y)])
            optimizer.step(context)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        cleared: dict[ast.AST, bool] = {}
        for training in written_trainings(program):
            loop, backward, step = training.loop, training.first("backward"), _step(training)
            if loop is None or backward is None or step is None or _clears(program, training, cleared):
                continue
            call = f"{step.receiver}.zero_grad()"
            fix = insert_line(program, _place(program, loop, backward), call, "clear the gradients before it")
            message = f"gradients are never cleared: every {step.receiver}.step() uses the sum over all batches so far"
            yield self.finding(program, backward.node, message, fix=fix)


def _place(program: Program, loop: LoopNode, backward: WrittenStep) -> ast.stmt:
    """Right before the backward pass, or at the start of each iteration where that is in a branch or an inner loop."""
    statement = program.enclosing(backward.node, ast.stmt)
    return statement if isinstance(statement, ast.stmt) and statement in loop.body else loop.body[0]


def _step(training: Training) -> WrittenStep | None:
    """The first step of an optimizer, if it is taken in every iteration: not in a branch or an inner loop.

    A step with arguments belongs to distributed autograd or a closure.
    """
    steps = [step for step in training.of("optimizer", "other", "scaler") if method_of(step.node) == "step"]
    first = next(iter(steps), None)
    if first is None or first.branches or first.depth or (isinstance(first.node, ast.Call) and first.node.args):
        return None
    return first


def _clears(program: Program, training: Training, cleared: dict[ast.AST, bool]) -> bool:
    """Whether anything in the loop or its function clears gradients, in whatever way; a function is read once."""
    around = training.function or training.loop
    if around is None:
        return False
    if around not in cleared:
        text = program.source.segment(around)
        ways = ("zero_grad", ".grad = None", ".grad.zero_", "grad.data.zero_")
        cleared[around] = any(way in text for way in ways) or _clears_through(program, around)
    return cleared[around] or bool(training.of("zero_grad", "gradient"))


def _clears_through(program: Program, around: ast.AST) -> bool:
    """Whether a function of the file that is called there clears them."""
    return any(method_of(node) in {"zero_grad", "zero_"} for node in reachable(program, around))
