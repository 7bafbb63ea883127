"""clip-before-unscale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of
from bugloss.source.training.gradient_steps import gradient_blocks


class ClipBeforeUnscale(Rule):
    """Gradients are clipped while they are still multiplied by the loss scale.

    ## What it finds
    ``clip_grad_norm_`` or ``clip_grad_value_`` between the backward pass of a scaled loss and ``scaler.step()``,
    without ``scaler.unscale_()`` before it.

    ## Why it hurts
    At that point the gradients are up to 65536 times too large. Clipping them to the usual threshold leaves almost
    nothing after the scaler divides them, and training stalls.

    ## Example
    ```python
    scaler.scale(loss).backward()
    clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    ```

    ## Use instead
    ```python
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    ```

    ## Known problems
    ``unscale_()`` in a function of another file is not found.

    ## Fix safety
    Suggested: a disabled scaler does nothing either way.

    ## References
    PyTorch documentation, Automatic mixed precision examples: gradient clipping.
    """

    name = "clip-before-unscale"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("clip_grad",)
    faulty = (
        """\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, loader, criterion, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
""",
    )
    clean = (
        """\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, loader, criterion, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
""",
        """\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, loader, criterion, optimizer, scaler=None):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, loader, criterion, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions((".unscale_(", "unscale_gradients")):
            return
        for block in gradient_blocks(program):
            backwards = [step for step in block.of("backward") if ".scale(" in step.receiver]
            steps = [step for step in block.of("scaler") if step.call.args]
            for clip in block.of("clip"):
                if any(step.place < clip.place for step in backwards) and any(
                    step.place > clip.place for step in steps
                ):
                    step = next(step for step in steps if step.place > clip.place)
                    message = (
                        f"{method_of(clip.call)} clips scaled gradients: call {step.receiver}.unscale_() before it"
                    )
                    unscale = f"{step.receiver}.unscale_({program.source.segment(step.call.args[0])})"
                    fix = insert_line(program, clip.statement, unscale, "unscale the gradients first")
                    yield self.finding(program, clip.call, message, fix=fix)
