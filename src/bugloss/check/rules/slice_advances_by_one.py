"""slice-advances-by-one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, walk_here, written


class SliceAdvancesByOne(Rule):
    """Batches overlap because the start of a slice advances by one sample.

    ## What it finds
    ``for i in range(n // size)`` with slices ``x[i : i + size]`` in the loop.

    ## Why it hurts
    Batch after batch holds almost the same samples, and only the first part of the data is ever used.

    ## Example
    ```python
    for i in range(len(x) // batch_size):
        batch = x[i : i + batch_size]
    ```

    ## Use instead
    ```python
    for i in range(0, len(x), batch_size):
        batch = x[i : i + batch_size]
    ```

    ## Known problems
    Windows that overlap on purpose are made by a range without a division.

    ## Fix safety
    Suggested: the range starts at 0 and advances by the size.

    ## References
    Python documentation of range.
    """

    name = "slice-advances-by-one"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data", "loop")
    words = ("//",)
    faulty = (
        """\
import numpy as np
import torch

def epoch(x, y, batch_size, step):
    for i in range(len(x) // batch_size):
        step(x[i : i + batch_size], y[i : i + batch_size])
""",
    )
    clean = (
        """\
import numpy as np
import torch

def epoch(x, y, batch_size, step):
    for i in range(0, len(x), batch_size):
        step(x[i : i + batch_size], y[i : i + batch_size])
    for i in range(len(x) // batch_size):
        start = i * batch_size
        step(x[start : start + batch_size], y[i * batch_size : i * batch_size + batch_size])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loop in program.nodes[ast.For]:
            count = _count_of_batches(program, loop)
            if count is None or not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
                continue
            size = written(count.right)
            if any(_starts_at(part, loop.target.id, size) for part in walk_here(loop.body)):
                text = f"range(0, {written(count.left)}, {size})"
                message = f"the slice advances by one sample, not by {size}: write {text}"
                yield self.finding(program, loop.iter, message, fix=suggested(replace_node(program, loop.iter, text)))


def _count_of_batches(program: Program, loop: ast.AST) -> ast.BinOp | None:
    """``n // size`` of ``range(n // size)``."""
    if not isinstance(loop, ast.For) or method_of(loop.iter) != "range" or not isinstance(loop.iter, ast.Call):
        return None
    found = definition(program, loop.iter.args[0]) if len(loop.iter.args) == 1 else None
    return found if isinstance(found, ast.BinOp) and isinstance(found.op, ast.FloorDiv) else None


def _starts_at(node: ast.AST, name: str, size: str) -> bool:
    """Whether a slice is ``[name : name + size]``."""
    if not isinstance(node, ast.Slice) or not isinstance(node.lower, ast.Name) or node.lower.id != name:
        return False
    return node.upper is not None and written(node.upper) in {f"{name} + {size}", f"{size} + {name}"}
