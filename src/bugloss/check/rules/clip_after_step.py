"""clip-after-step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, move_before
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of
from bugloss.source.training.gradient_steps import GradientStep, gradient_blocks


class ClipAfterStep(Rule):
    """Gradients are clipped after the optimizer has used them.

    ## What it finds
    ``clip_grad_norm_`` or ``clip_grad_value_`` after the only optimizer step of a block, with no later
    ``backward()`` in it.

    ## Why it hurts
    The step has already used the unclipped gradient. The clip changes nothing, and exploding gradients still reach
    the weights.

    ## Example
    ```python
    loss.backward()
    optimizer.step()
    clip_grad_norm_(model.parameters(), 1.0)
    ```

    ## Use instead
    ```python
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    ```

    ## Known problems
    Blocks with several optimizer steps are not reported.

    ## Fix safety
    Suggested: the clip is moved before the step.

    ## References
    PyTorch documentation, torch.nn.utils.clip_grad_norm_.
    """

    name = "clip-after-step"
    severity = Severity.ERROR
    category = Category.API
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
        criterion(model(x), y).backward()
        optimizer.step()
        clip_grad_norm_(model.parameters(), 1.0)
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

def train(actor, critic, batches, actor_optimizer, critic_optimizer):
    for batch in batches:
        critic_optimizer.zero_grad()
        actor_optimizer.zero_grad()
        (critic(batch).mean() + actor(batch).mean()).backward()
        critic_optimizer.step()
        clip_grad_norm_(actor.parameters(), 1.0)
        actor_optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for block in gradient_blocks(program):
            steps, clips = block.anywhere("optimizer", "scaler"), block.of("clip")
            if len(steps) != 1 or steps[0] not in block.steps or len(clips) != 1 or not block.anywhere("backward"):
                continue
            step, clip = steps[0], clips[0]
            if clip.place < step.place or block.anywhere("backward")[-1].place > step.place:
                continue
            name = method_of(clip.call)
            message = f"{name} has no effect after {step.receiver}.step(): clip before the step"
            yield self.finding(program, clip.call, message, fix=_fix(program, step, clip))


def _fix(program: Program, step: GradientStep, clip: GradientStep) -> Fix | None:
    if not isinstance(clip.statement, ast.Expr):
        return None
    return move_before(program, clip.statement, step.statement, "clip before the step")
