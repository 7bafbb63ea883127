"""last-batch-counted-only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import assigned_pairs, is_constant, loads, walk, written


class LastBatchCountedOnly(Rule):
    """A sum over batches is assigned instead of increased, so that only the last batch counts.

    ## What it finds
    A variable that is set to zero before a loop over batches, assigned with ``=`` in it, and divided by the
    number of batches or samples after it.

    ## Why it hurts
    The reported figure is that of the last batch, divided by the number of batches: far too small, and it selects
    the wrong epoch.

    ## Example
    ```python
    val_loss = 0.0
    for x, y in loader:
        val_loss = criterion(model(x), y).item()
    val_loss /= len(loader)
    ```

    ## Use instead
    ```python
    val_loss = 0.0
    for x, y in loader:
        val_loss += criterion(model(x), y).item()
    val_loss /= len(loader)
    ```

    ## Known problems
    None known.

    ## Fix safety
    Suggested: the assignment becomes an addition.

    ## References
    PyTorch tutorial, Optimizing Model Parameters.
    """

    name = "last-batch-counted-only"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("loop",)
    words = ("len(",)
    faulty = (
        """\
import torch

def validate(model, loader, criterion):
    val_loss = 0.0
    for x, y in loader:
        val_loss = criterion(model(x), y).item()
    return val_loss / len(loader)
""",
    )
    clean = (
        """\
import torch

def validate(model, loader, criterion):
    val_loss, seen = 0.0, 0
    for x, y in loader:
        val_loss += criterion(model(x), y).item()
        seen = seen + len(x)
    last = 0.0
    for x, y in loader:
        last = criterion(model(x), y).item()
    return val_loss / len(loader), seen / len(loader), last
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loop in program.nodes[ast.For]:
            if not isinstance(loop, ast.For):
                continue
            scope = scope_of(program, loop)
            for statement in loop.body:
                name = _overwritten(statement)
                if name and _is_divided(scope, name, loop) and _starts_at_zero(scope, name, loop):
                    value = written(statement.value) if isinstance(statement, ast.Assign) else ""
                    fix = suggested(replace_node(program, statement, f"{name} += {value}"))
                    message = f"{name} is overwritten by each batch and then divided: write {name} += …"
                    yield self.finding(program, statement, message, fix=fix)


def _overwritten(statement: ast.stmt) -> str:
    """The name that a statement of the loop assigns without reading it."""
    if (
        not isinstance(statement, ast.Assign)
        or len(statement.targets) != 1
        or not isinstance(statement.value, ast.Call | ast.BinOp)
    ):
        return ""
    target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) and target.id not in loads(statement.value) else ""


def _starts_at_zero(scope: ast.AST, name: str, loop: ast.For) -> bool:
    before = (part for part in walk(scope) if isinstance(part, ast.Assign) and part.lineno < loop.lineno)
    return any(
        _is_zero(value) and isinstance(one, ast.Name) and one.id == name
        for part in before
        for one, value in assigned_pairs(part)
    )


def _is_zero(node: ast.expr) -> bool:
    return is_constant(node, 0) or is_constant(node, 0.0)


def _is_divided(scope: ast.AST, name: str, loop: ast.For) -> bool:
    """Whether the name is divided by a number of things after the loop, and read nowhere in it."""
    inside = sum(isinstance(part, ast.Name) and part.id == name for part in walk(loop))
    for part in walk(scope):
        if getattr(part, "lineno", 0) <= (loop.end_lineno or loop.lineno) or inside > 1:
            continue
        if isinstance(part, ast.BinOp | ast.AugAssign) and isinstance(part.op, ast.Div):
            over, under = (part.left, part.right) if isinstance(part, ast.BinOp) else (part.target, part.value)
            if isinstance(over, ast.Name) and over.id == name and _COUNT.search(written(under)):
                return True
    return False


_COUNT = re.compile(r"len\(|count|total|num|seen|batches|n_", re.IGNORECASE)
