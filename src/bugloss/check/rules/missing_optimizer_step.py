"""missing-optimizer-step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line_after
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import functions_by_name
from bugloss.source.program import Program
from bugloss.source.text.syntax import children, dotted, method_of
from bugloss.source.training.gradient_steps import gradient_blocks, gradient_steps, made_by


class MissingOptimizerStep(Rule):
    """Gradients are computed, but no optimizer uses them.

    ## What it finds
    A loop that clears the gradients of an optimizer created in the file and calls ``backward()``, while the file
    never calls the ``step()`` of any optimizer and reads no gradient itself.

    ## Why it hurts
    The weights keep their initial values for the whole run.

    ## Example
    ```python
    for x, y in loader:
        optimizer.zero_grad()
        loss.backward()
    ```

    ## Use instead
    ```python
    for x, y in loader:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    ```

    ## Known problems
    An optimizer that is passed to another function may step there; such files are not reported.

    ## Fix safety
    Suggested.

    ## References
    PyTorch documentation, torch.optim: Taking an optimization step.
    """

    name = "missing-optimizer-step"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("backward",)
    faulty = (
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        apply_update(optimizer)
""",
        """\
import torch

def attack(model, x, y, criterion):
    optimizer = torch.optim.SGD([x], lr=0.1)
    for _ in range(10):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        x.data += 0.1 * x.grad.sign()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions((".grad.", ".grad)", ".grad,", ".grad:", "autograd")):
            return
        steps = gradient_steps(program)
        if any(step.role in {"optimizer", "scaler", "other"} and method_of(step.call) == "step" for step in steps):
            return
        known = {target for _, target, _ in made_by(program, "optimizer")} - set(_passed_on(program))
        for block in gradient_blocks(program):
            clears = [step for step in block.of("zero_grad") if step.receiver in known]
            backwards = block.of("backward")
            if isinstance(block.owner, (ast.For, ast.While)) and clears and backwards:
                message = f"{clears[0].receiver}.step() is never called, so the weights never change"
                text, why = f"{clears[0].receiver}.step()", "call step() after backward()"
                fix = insert_line_after(program, backwards[-1].statement, text, why)
                yield self.finding(program, backwards[-1].call, message, fix=fix)


def _passed_on(program: Program) -> Iterator[str]:
    """Optimizers that another function gets, or that are returned or stored: they may be stepped elsewhere."""
    for node in program.nodes[ast.Call]:
        known = isinstance(node, ast.Call) and method_of(node) in functions_by_name(program)
        if (
            isinstance(node, ast.Call)
            and not known
            and "lr_scheduler" not in (program.names.qualified(node.func) or "")
        ):
            yield from (dotted(part) for part in (*node.args, *(keyword.value for keyword in node.keywords)))
    for node in (*program.nodes[ast.Return], *program.nodes[ast.Tuple], *program.nodes[ast.List]):
        yield from (dotted(part) for part in children(node))
