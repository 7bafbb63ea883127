"""scheduler-period-mismatch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, argument_node, suggested
from bugloss.check.views.training_loops import loops_around
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_after
from bugloss.source.program import Program
from bugloss.source.text.syntax import LoopNode, calls_in, dotted, keyword_of, method_of, receiver_of, walk
from bugloss.source.training.gradient_steps import gradient_steps, made_by

_LONGEST = 200  # epochs; a longer period may count batches
_PERIODS = {"StepLR": ("step_size",), "MultiStepLR": ("milestones",), "CosineAnnealingLR": ("T_max",)}


class SchedulerPeriodMismatch(Rule):
    """A learning-rate schedule counts epochs but is stepped for each batch, or the other way round.

    ## What it finds
    ``StepLR``, ``MultiStepLR`` and ``ExponentialLR`` with a period of epochs, or ``CosineAnnealingLR`` over a number of
    epochs, stepped in the loop over batches; ``OneCycleLR`` with ``steps_per_epoch``, stepped once per epoch.

    ## Why it hurts
    The learning rate reaches its end within the first epoch, and the rest of the training changes nothing; a one-cycle
    schedule never gets past its warm-up.

    ## Example
    ```python
    scheduler = StepLR(optimizer, step_size=10, gamma=0.1)
    for epoch in range(30):
        for x, y in loader:
            train_step(x, y)
            scheduler.step()
    ```

    ## Use instead
    ```python
    scheduler = StepLR(optimizer, step_size=10, gamma=0.1)
    for epoch in range(30):
        for x, y in loader:
            train_step(x, y)
        scheduler.step()
    ```

    ## Known problems
    A period that is not written as a number, or is larger than 200, may count batches and is not reported.

    ## Fix safety
    Suggested: the call moves behind the loop over batches.

    ## References
    PyTorch documentation, "How to adjust learning rate".
    """

    name = "scheduler-period-mismatch"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("loop", "optimizer")
    words = ("lr_scheduler", "LR(")
    faulty = (
        """\
import torch
from torch.optim.lr_scheduler import StepLR

def run(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=10, gamma=0.1)
    for epoch in range(30):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
            scheduler.step()
""",
        """\
import torch

def run(model, loader, criterion, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
            scheduler.step()
""",
        """\
import torch

def run(model, loader, criterion, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=len(loader))
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        scheduler.step()
""",
    )
    clean = (
        """\
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, StepLR

def run(model, loader, criterion, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=10, gamma=0.1)
    other = CosineAnnealingLR(optimizer, T_max=epochs * len(loader))
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
            other.step()
        scheduler.step()
""",
        """\
import torch
from torch.optim.lr_scheduler import StepLR

def run(model, x, y, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=10)
    for epoch in range(100):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        scheduler.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch.optim.lr_scheduler import StepLR

def run(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=10, gamma=0.1)
    for epoch in range(30):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        scheduler.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        made = {name: call for _, name, call in made_by(program, "scheduler")}
        for step in gradient_steps(program):
            call = made.get(dotted(receiver_of(step.call))) if step.role == "scheduler" else None
            if call is None:
                continue
            kind = method_of(call)
            loops = loops_around(program, step.statement)
            if len(loops) > 1 and _is_batch_loop(loops[0]) and _counts_epochs(call, kind, loops):
                message = f"{kind} counts epochs, but step() runs for each batch: call it after the loop over batches"
                direct = step.statement in loops[0].body and isinstance(step.statement, ast.Expr)
                edit = move_after(program, step.statement, loops[0]) if direct else None
                yield self.finding(program, step.call, message, fix=suggested(edit))
            elif kind == "OneCycleLR" and keyword_of(call, "steps_per_epoch") and _once_per_epoch(loops):
                message = "OneCycleLR counts batches (steps_per_epoch), but step() runs once per epoch"
                yield self.finding(program, step.call, message)


def _is_batch_loop(loop: LoopNode) -> bool:
    return isinstance(loop, ast.For) and bool(calls_in(loop.body, "backward"))


def _counts_epochs(call: ast.Call, kind: str, loops: list[LoopNode]) -> bool:
    period = argument_node(call, 1, *_PERIODS.get(kind, ()))
    if kind == "CosineAnnealingLR":
        bound = (
            {part.id for part in walk(loops[-1].iter) if isinstance(part, ast.Name)}
            if isinstance(loops[-1], ast.For)
            else set()
        )
        return isinstance(period, ast.Name) and period.id in bound
    if isinstance(period, ast.Constant):
        return kind != "ExponentialLR" and isinstance(period.value, int) and 1 <= period.value <= _LONGEST
    numbers = period.elts if isinstance(period, ast.List | ast.Tuple) else []
    values = [one.value for one in numbers if isinstance(one, ast.Constant) and isinstance(one.value, int)]
    return bool(values) and len(values) == len(numbers) and max(values) <= _LONGEST


def _once_per_epoch(loops: list[LoopNode]) -> bool:
    """Whether the call is in a loop that contains the loop over batches."""
    inner = [node for node in loops[0].body if isinstance(node, ast.For)] if len(loops) == 1 else []
    return any(_is_batch_loop(loop) for loop in inner)
