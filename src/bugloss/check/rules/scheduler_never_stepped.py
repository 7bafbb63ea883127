"""scheduler-never-stepped."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.training.gradient_steps import made_by


class SchedulerNeverStepped(Rule):
    """A learning-rate scheduler is created but never used.

    ## What it finds
    A scheduler of ``torch.optim.lr_scheduler`` that is assigned to a variable that is never read.

    ## Why it hurts
    The learning rate stays at its initial value or, with warm-up, at a small fraction of it.

    ## Example
    ```python
    scheduler = StepLR(optimizer, 10)
    for epoch in range(30):
        train(model, optimizer)
    ```

    ## Use instead
    ```python
    scheduler = StepLR(optimizer, 10)
    for epoch in range(30):
        train(model, optimizer)
        scheduler.step()
    ```

    ## Known problems
    None known.

    ## Fix safety
    No fix is offered: some schedules count batches, others epochs.

    ## References
    PyTorch documentation, How to adjust learning rate.
    """

    name = "scheduler-never-stepped"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("optimizer",)
    words = ("lr_scheduler",)
    faulty = (
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
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
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        scheduler.step()
""",
        """\
import torch

def configure(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    return [optimizer], [schedule]
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node, target, call in made_by(program, "scheduler"):
            name = target.rsplit(".", 1)[-1]
            if len(node.targets) == 1 and not name.startswith("_") and name not in program.read_words:
                message = f"{target} is never stepped: the learning rate stays at its initial value"
                yield self.finding(program, call, message)
