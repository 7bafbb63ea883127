"""method-not-called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted


class MethodNotCalled(Rule):
    """A method of the training step is referenced but not called.

    ## What it finds
    A statement that only names ``optimizer.step``, ``zero_grad``, ``backward``, ``eval`` or ``train`` without
    parentheses.

    ## Why it hurts
    The statement has no effect: the weights do not change, gradients accumulate, or the mode stays the same.

    ## Example
    ```python
    optimizer.step
    ```

    ## Use instead
    ```python
    optimizer.step()
    ```

    ## Known problems
    None known.

    ## Fix safety
    Safe: the statement has no other meaning.

    ## References
    Python language reference, expression statements.
    """

    name = "method-not-called"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("torch",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step
""",
    )
    clean = (
        """\
import torch

def hooks(optimizer, model):
    step = optimizer.step
    model.eval()
    return step, model.train
""",
        """\
import torch

class Schedule:
    step: int = 0

    def describe(self):
        self.step
        return self.step
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for node in program.nodes[ast.Expr]:
            value = node.value if isinstance(node, ast.Expr) else None
            if (
                not isinstance(value, ast.Attribute)
                or value.attr not in _METHODS
                or dotted(value.value) in {"", "self"}
            ):
                continue
            message = f"{dotted(value)} is not called, so the statement has no effect"
            fix = replace_node(program, value, f"{dotted(value)}()", "call it", Safety.SAFE)
            yield self.finding(program, value, message, fix=fix)


_METHODS = {"step", "zero_grad", "backward", "eval", "train"}
