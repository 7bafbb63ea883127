"""hidden-nan."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.numeric import argument_of
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class HiddenNan(Rule):
    """NaN is replaced in the loss before the gradients are computed.

    ## What it finds
    ``nan_to_num`` on a loss in a function that also calls ``backward``.

    ## Why it hurts
    The printed loss looks healthy, but the gradient of the operation that produced the NaN is still NaN, or zero: the
    weights become NaN, or silently do not learn from these batches, and the log does not show when it started.

    ## Example
    ```python
    loss = torch.nan_to_num(criterion(model(x), y))
    loss.backward()
    ```

    ## Use instead
    ```python
    loss = criterion(model(x), y)
    if not torch.isfinite(loss):
        raise RuntimeError("the loss is not finite")
    loss.backward()
    ```

    ## Known problems
    A loss that is only logged is reported too if ``backward`` is called in the same function.

    ## Fix safety
    No fix is offered: the cause of the NaN has to be found.

    ## References
    trl issue 6702 and transformers pull request 13619 (``logging_nan_inf_filter``): NaN steps that no log shows.
    """

    name = "hidden-nan"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.MONITOR
    groups = ("numeric",)
    words = ("nan_to_num",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss = torch.nan_to_num(loss)
        loss.backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(torch.nan_to_num(x)), y)
        loss.backward()
        optimizer.step()
""",
        """\
import torch

def report(loss):
    return torch.nan_to_num(loss).item()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.methods("nan_to_num", "nan_to_num_"):
            inside = argument_of(program, operation.node, "nan_to_num", "nan_to_num_")
            if not isinstance(inside, (ast.Name, ast.Attribute)) or "loss" not in ast.unparse(inside).lower():
                continue
            function = program.enclosing(operation.node, ast.FunctionDef, ast.AsyncFunctionDef) or program.tree
            name = ast.unparse(inside)
            if f"{name}.backward" in program.source.segment(function):  # type: ignore[arg-type]
                message = f"nan_to_num hides a NaN in {name}, but backward() still computes NaN gradients"
                yield self.finding(program, operation.node, message)
