"""step-before-backward."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import move_after
from bugloss.source.program import Program
from bugloss.source.training.gradient_steps import gradient_blocks


class StepBeforeBackward(Rule):
    """The optimizer steps before the gradients of the round are computed.

    ## What it finds
    A block with one ``backward()`` and one optimizer ``step()`` in which the step comes first.

    ## Why it hurts
    In the first round there is no gradient at all, and every later step uses the gradients of an older batch. When
    the gradients are cleared before the step, the weights never change.

    ## Example
    ```python
    optimizer.step()
    loss.backward()
    ```

    ## Use instead
    ```python
    loss.backward()
    optimizer.step()
    ```

    ## Known problems
    Only straight blocks are judged; steps in branches or in other functions are left alone.

    ## Fix safety
    No edit: lines between the two calls may depend on their order.

    ## References
    PyTorch documentation, torch.optim: Taking an optimization step.
    """

    name = "step-before-backward"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("backward",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        optimizer.step()
        loss.backward()
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

def train(generator, critic, loader, optimizer_g, optimizer_d):
    for real in loader:
        optimizer_d.zero_grad()
        critic(real).mean().backward()
        optimizer_d.step()
        optimizer_g.zero_grad()
        critic(generator(real)).mean().backward()
        optimizer_g.step()
""",
        """\
import torch

def play(env, policy, optimizer):
    for action in policy.actions:
        state, reward = env.step(action)
        optimizer.zero_grad()
        (-reward * policy(state)).backward()
        optimizer.step()
""",
        """\
import torch

def train(model, loader, optimizer):
    for step, x in enumerate(loader):
        if step % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
        model(x).mean().backward()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for block in gradient_blocks(program):
            backwards, steps = block.anywhere("backward"), block.anywhere("optimizer", "scaler")
            if (
                len(backwards) != 1
                or len(steps) != 1
                or block.of("backward", "optimizer", "scaler")
                != sorted([*steps, *backwards], key=lambda step: step.place)
            ):
                continue
            if steps[0].place < backwards[0].place and not steps[0].call.args:
                message = f"{steps[0].receiver}.step() comes before {backwards[0].receiver}.backward()"
                edit = move_after(program, steps[0].statement, backwards[0].statement)
                yield self.finding(program, steps[0].call, message, fix=suggested(edit))
