"""clip-before-backward."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_after
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of
from bugloss.source.training.gradient_steps import GradientStep, gradient_blocks


class ClipBeforeBackward(Rule):
    """Gradients are clipped before they are computed.

    ## What it finds
    ``clip_grad_norm_`` or ``clip_grad_value_`` before the only ``backward()`` of an iteration, after the gradients were
    cleared.

    ## Why it hurts
    There is nothing to clip yet. The step uses the gradients as ``backward()`` computes them, so those that explode
    still do.

    ## Example
    ```python
    optimizer.zero_grad()
    clip_grad_norm_(model.parameters(), 1.0)
    loss.backward()
    optimizer.step()
    ```

    ## Use instead
    ```python
    optimizer.zero_grad()
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    ```

    ## Known problems
    Iterations with several backward passes are not reported.

    ## Fix safety
    Suggested: the call is moved behind ``backward()``.

    ## References
    PyTorch documentation of ``clip_grad_norm_``; the catalogue's row loop-order.
    """

    name = "clip-before-backward"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("clip_grad",)
    faulty = (
        """\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        clip_grad_norm_(model.parameters(), 1.0)
        loss.backward()
        optimizer.step()
""",
        """\
import torch
from torch import nn

class Trainer:
    def step(self, x, y):
        loss = self.criterion(self.net(x), y)
        self.optimizer.zero_grad()
        nn.utils.clip_grad_value_(self.net.parameters(), 0.5)
        loss.backward()
        self.optimizer.step()
        return loss.item()
""",
    )
    clean = (
        """\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
""",
        """\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, chunks, criterion, optimizer):
    for x, y, last in chunks:
        if last:
            clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        criterion(model(x), y).backward()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for block in gradient_blocks(program):
            order = block.anywhere("zero_grad", "clip", "backward", "optimizer", "scaler")
            if [step.role for step in order if step.role != "zero_grad"] != ["clip", "backward", "optimizer"]:
                continue
            clip, backward = block.of("clip"), block.of("backward")
            cleared = any(step.place < backward[0].place for step in block.of("zero_grad")) if backward else False
            if clip and cleared:
                message = f"{method_of(clip[0].call)} has nothing to clip before backward(): clip after it"
                yield self.finding(program, clip[0].call, message, fix=_fix(program, clip[0], backward[0]))


def _fix(program: Program, clip: GradientStep, backward: GradientStep) -> Fix | None:
    if not isinstance(clip.statement, ast.Expr):
        return None
    return suggested(move_after(program, clip.statement, backward.statement))
