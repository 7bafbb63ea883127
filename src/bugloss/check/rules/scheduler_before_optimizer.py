"""scheduler-before-optimizer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_after
from bugloss.source.local_functions import reachable
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, walk_here
from bugloss.source.training.gradient_steps import GradientBlock, GradientStep, gradient_blocks, gradient_steps


class SchedulerBeforeOptimizer(Rule):
    """The learning-rate scheduler steps before the optimizer.

    ## What it finds
    ``scheduler.step()`` without arguments that comes before ``optimizer.step()`` in the same iteration, or at the
    start of an epoch whose batches step the optimizer.

    ## Why it hurts
    Since PyTorch 1.1 the scheduler counts the optimizer's steps: the first value of the schedule is skipped, and
    warm-up or decay is off by one step.

    ## Example
    ```python
    for epoch in range(epochs):
        scheduler.step()
        train_one_epoch(model, optimizer)
    ```

    ## Use instead
    ```python
    for epoch in range(epochs):
        train_one_epoch(model, optimizer)
        scheduler.step()
    ```

    ## Known problems
    Schedulers that another file creates are recognised by their name.

    ## Fix safety
    No fix is offered: the right place depends on whether the schedule counts batches or epochs.

    ## References
    PyTorch documentation, How to adjust learning rate (the warning on the order since 1.1.0).
    """

    name = "scheduler-before-optimizer"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("sched",)
    faulty = (
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for epoch in range(30):
        scheduler.step()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for epoch in range(30):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        scheduler.step()
""",
        """\
import torch

def train(model, loader, noise_scheduler, optimizer):
    for x in loader:
        latents = noise_scheduler.step(model(x), 3, x)
        optimizer.zero_grad()
        latents.mean().backward()
        optimizer.step()
""",
        """\
import torch
from torch.optim import lr_scheduler

def train(generator, critic, batches, optimizer_g, optimizer_d):
    schedule_d = lr_scheduler.ExponentialLR(optimizer_d, 0.9)
    for batch in batches:
        critic(batch).mean().backward()
        optimizer_d.step()
        schedule_d.step()
        optimizer_d.zero_grad()
        optimizer_g.zero_grad()
        generator(batch).mean().backward()
        optimizer_g.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for block in gradient_blocks(program):
            schedulers = block.anywhere("scheduler")
            if not isinstance(block.owner, (ast.For, ast.While)) or len(schedulers) != 1 or not block.of("scheduler"):
                continue
            scheduler = schedulers[0]
            optimizer = _later_step(program, block, scheduler)
            if scheduler.call.args or scheduler.call.keywords or optimizer is None:
                continue
            message = f"{scheduler.receiver}.step() before {optimizer}.step() skips the schedule's first value"
            yield self.finding(program, scheduler.call, message, fix=_moved(program, block, scheduler))


_HARMLESS = {"print", "train", "set_epoch", "time", "info", "format", "zero_grad"}


def _moved(program: Program, block: GradientBlock, scheduler: GradientStep) -> Fix:
    """The step of the schedule to the end of its loop."""
    assert isinstance(block.owner, ast.For | ast.While)
    return Fix(
        Safety.SUGGESTED, "step the schedule last", move_after(program, scheduler.statement, block.owner.body[-1])
    )


def _later_step(program: Program, block: GradientBlock, scheduler: GradientStep) -> str | None:
    """The optimizer whose only step comes after the scheduler's, here or in a function called later."""
    steps = block.anywhere("optimizer", "scaler")
    if steps:
        return steps[0].receiver if len(steps) == 1 and steps[0].place > scheduler.place else None
    assert isinstance(block.owner, (ast.For, ast.While))
    line = scheduler.statement.lineno
    before = [statement for statement in block.owner.body if statement.lineno < line]
    if any(isinstance(node, ast.Call) and method_of(node) not in _HARMLESS for node in walk_here(before)):
        return None
    after = set(reachable(program, [statement for statement in block.owner.body if statement.lineno > line]))
    found = [step for step in gradient_steps(program) if step.role == "optimizer" and step.call in after]
    return found[0].receiver if len(found) == 1 else None
