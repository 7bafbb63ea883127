"""graph-retained-in-loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of
from bugloss.source.training.gradient_steps import GradientStep, gradient_blocks, gradient_steps


class GraphRetainedInLoop(Rule):
    """A training loop retains the graph of every iteration.

    ## What it finds
    ``backward(retain_graph=True)`` as the only backward pass of a function with a training loop.

    ## Why it hurts
    The graph is not used again within the iteration. Usually the argument is there to silence 'Trying to backward
    through the graph a second time', whose cause is a state that is carried over without ``detach()``: each iteration
    then backpropagates through all earlier ones, slower and with more memory every time.

    ## Example
    ```python
    for x in loader:
        output, hidden = model(x, hidden)
        output.sum().backward(retain_graph=True)
    ```

    ## Use instead
    ```python
    for x in loader:
        hidden = hidden.detach()
        output, hidden = model(x, hidden)
        output.sum().backward()
    ```

    ## Known problems
    Functions with several backward passes may need it and are not reported.

    ## Fix safety
    Suggested: a state may have to be detached first.

    ## References
    PyTorch documentation, Tensor.backward (retain_graph is not needed in nearly all cases).
    """

    name = "graph-retained-in-loop"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop", "performance")
    words = ("retain_graph", "backward")
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward(retain_graph=True)
        optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(generator, critic, loader, optimizer_g, optimizer_d):
    for x in loader:
        optimizer_d.zero_grad()
        fake = generator(x)
        critic(fake).mean().backward(retain_graph=True)
        optimizer_d.step()
        optimizer_g.zero_grad()
        (-critic(fake).mean()).backward()
        optimizer_g.step()
""",
        """\
import torch

def gradients(model, x):
    outputs = model(x)
    for i in range(outputs.shape[1]):
        outputs[:, i].sum().backward(retain_graph=True)
        yield x.grad.clone()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions(("autograd.grad(", "create_graph")):
            return
        for block in gradient_blocks(program):
            backwards = block.of("backward")
            if (
                not isinstance(block.owner, (ast.For, ast.While))
                or len(block.anywhere("backward")) != 1
                or not backwards
            ):
                continue
            call = backwards[0].call
            if not is_constant(keyword_of(call, "retain_graph"), True) or not block.of("optimizer", "scaler"):
                continue
            if sum(scope_of(program, step.call) is scope_of(program, call) for step in _backwards(program)) == 1:
                message = f"{backwards[0].receiver}.backward(retain_graph=True) keeps a graph that is not used again"
                yield self.finding(program, call, message, fix=_fix(program, call))


def _backwards(program: Program) -> list[GradientStep]:
    return [step for step in gradient_steps(program) if step.role == "backward"]


def _fix(program: Program, call: ast.Call) -> Fix | None:
    if call.args or len(call.keywords) != 1 or call.lineno != call.end_lineno:
        return None
    text = f"{program.source.segment(call.func)}()"
    return replace_node(program, call, text, "remove retain_graph")
