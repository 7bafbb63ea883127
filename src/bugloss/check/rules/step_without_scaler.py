"""step-without-scaler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.training.gradient_steps import gradient_blocks


class StepWithoutScaler(Rule):
    """The loss is scaled, but the optimizer steps without the scaler.

    ## What it finds
    ``scaler.scale(loss).backward()`` followed by ``optimizer.step()`` in the same block, with no ``scaler.step`` or
    ``unscale_``.

    ## Why it hurts
    The gradients are still multiplied by the loss scale (65536 at first), so every step is too large by that factor,
    and infinite gradients are not skipped.

    ## Example
    ```python
    scaler.scale(loss).backward()
    optimizer.step()
    ```

    ## Use instead
    ```python
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    ```

    ## Known problems
    An optimizer that the scaler has wrapped elsewhere is not recognised.

    ## Fix safety
    Suggested: ``scaler.update()`` must follow once per iteration.

    ## References
    PyTorch documentation, Automatic mixed precision examples.
    """

    name = "step-without-scaler"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = (".scale(",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        optimizer.step()
        scaler.update()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        scaler.step(optimizer)
        scaler.update()
""",
        """\
import torch

def train(model, loader, criterion, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        if scaler:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
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
        if "torch" not in program.frameworks:
            return
        for block in gradient_blocks(program):
            backwards = [step for step in block.of("backward") if "scaler.scale(" in step.receiver]
            steps = block.of("optimizer")
            if len(backwards) != 1 or len(steps) != 1 or block.anywhere("unscale", "scaler"):
                continue
            if steps[0].place > backwards[0].place and not steps[0].call.args:
                scaler = backwards[0].receiver.split(".scale(")[0]
                message = (
                    f"{steps[0].receiver}.step() uses gradients that are still multiplied by the scale of {scaler}"
                )
                text = f"{scaler}.step({steps[0].receiver})"
                fix = replace_node(program, steps[0].call, text, "let the scaler step the optimizer")
                yield self.finding(program, steps[0].call, message, fix=fix)
