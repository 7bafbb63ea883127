"""python-loop-over-tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.fresh_tensors import fresh_tensor
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import loads, method_of
from bugloss.source.training.loss_calls import last_assigned


class PythonLoopOverTensor(Rule):
    """Nested Python loops fill a tensor one element at a time.

    ## What it finds
    Two or more nested loops over ranges that assign single elements of a tensor that the function creates.

    ## Why it hurts
    Every assignment is a kernel launch and a node of the graph. A vectorized operation is often hundreds of times
    faster.

    ## Example
    ```python
    for i in range(n):
        for j in range(m):
            out[i, j] = (a[i] * b[j]).sum()
    ```

    ## Use instead
    ```python
    out = a @ b.T
    ```

    ## Known problems
    Recurrences, in which an element depends on earlier ones, are not reported if they read the tensor itself.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch_Speaker_Verification pull request 33.
    """

    name = "python-loop-over-tensor"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.PERFORMANCE
    groups = ("performance",)
    words = ("range",)
    faulty = (
        """\
import torch

def products(a, b):
    out = torch.zeros(len(a), len(b))
    for i in range(len(a)):
        for j in range(len(b)):
            out[i, j] = (a[i] * b[j]).sum()
    return out
""",
    )
    clean = (
        """\
import torch

def products(a, b):
    out = torch.zeros(len(a), 8)
    for i in range(len(a)):
        out[i] = a[i] @ b
    return out
""",
        """\
import torch

def alignment(a, b):
    out = torch.zeros(len(a), len(b))
    for i in range(1, len(a)):
        for j in range(1, len(b)):
            out[i, j] = out[i - 1, j - 1] + a[i] * b[j]
    return out
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for node in program.nodes[ast.Assign]:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
                continue
            assert isinstance(node, ast.Assign)
            counters = _counters(program, node)
            indices = loads(target.slice) & counters
            outer = _outermost(program, node)
            if len(indices) < 2 or outer is None or target.value.id in loads(node.value):
                continue
            if _is_fresh(program, outer, target.value.id):
                message = f"{target.value.id} is filled element by element in loops over {', '.join(sorted(indices))}"
                yield self.finding(program, outer, message)


def _loops(program: Program, node: ast.AST) -> list[ast.For]:
    found = []
    current = program.enclosing(node, ast.For, ast.FunctionDef, ast.AsyncFunctionDef)
    while isinstance(current, ast.For):
        found.append(current)
        current = program.enclosing(current, ast.For, ast.FunctionDef, ast.AsyncFunctionDef)
    return found


def _counters(program: Program, node: ast.AST) -> set[str]:
    """Variables of the loops over ranges around the statement."""
    loops = [loop for loop in _loops(program, node) if method_of(loop.iter) == "range"]
    return {loop.target.id for loop in loops if isinstance(loop.target, ast.Name)}


def _outermost(program: Program, node: ast.AST) -> ast.For | None:
    loops = [loop for loop in _loops(program, node) if method_of(loop.iter) == "range"]
    return loops[-1] if loops else None


def _is_fresh(program: Program, loop: ast.For, name: str) -> bool:
    """Whether the tensor is made just before the loops."""
    made = last_assigned(program, name, loop)
    return made is not None and fresh_tensor(program, made.value) is not None
