"""in-place-result-assigned."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, receiver_of, walk_here


class InPlaceResultAssigned(Rule):
    """The result of an in-place operation gets a new name while the old one is still used.

    ## What it finds
    ``y = x.add_(1)`` (any method with a trailing underscore that changes values) where ``x`` is read again
    afterwards.

    ## Why it hurts
    Both names refer to the same tensor. The old value is changed too, and gradients that need it are wrong or raise
    an error.

    ## Example
    ```python
    shifted = x.add_(1)
    return x * shifted
    ```

    ## Use instead
    ```python
    shifted = x + 1
    return x * shifted
    ```

    ## Known problems
    Two names for one tensor may be intended.

    ## Fix safety
    Suggested: the operation without the underscore creates a new tensor.

    ## References
    PyTorch documentation, In-place correctness checks.
    """

    name = "in-place-result-assigned"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("tensor",)
    words = ("torch",)
    faulty = (
        """\
import torch

def residual(x):
    activated = x.relu_()
    return x + activated
""",
    )
    clean = (
        """\
import torch

def activate(x):
    x = x.relu_()
    y = x.clone().add_(1)
    return x + y
""",
        """\
import torch

def leaf(x):
    y = x.add_(1)
    z = y.requires_grad_()
    return y * z
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def residual(x):
    activated = x.relu()
    return x + activated
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for node in program.nodes[ast.Assign]:
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
                continue
            if method_of(node.value) not in _METHODS:
                continue
            receiver, target = receiver_of(node.value), node.targets[0]
            if not isinstance(receiver, ast.Name) or not isinstance(target, ast.Name) or receiver.id == target.id:
                continue
            if receiver.id not in program.names.imported and _read_later(program, node, receiver.id):
                name = method_of(node.value)
                message = f"{name} changes {receiver.id}, which is used again: {target.id} is the same tensor"
                text = f"{receiver.id}.{name[:-1]}"
                fix = replace_node(program, node.value.func, text, "create a new tensor instead")
                yield self.finding(program, node, message, fix=fix)


_METHODS = {f"{name}_" for name in (
    "add", "sub", "mul", "div", "relu", "sigmoid", "tanh", "exp", "log", "sqrt", "clamp", "abs", "neg", "pow", "square",
    "masked_fill", "scatter", "index_fill", "index_add", "index_copy", "squeeze", "unsqueeze", "transpose", "t",
    "round", "floor", "ceil", "tril", "triu", "addmm", "lerp", "cumsum",
)}  # fmt: skip


def _read_later(program: Program, node: ast.Assign, name: str) -> bool:
    """Whether the next use of the name, after the statement and in the same function, reads it."""
    scope = scope_of(program, node)
    body = scope.body if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)) else []
    uses = [part for part in walk_here(body) if isinstance(part, ast.Name) and part.id == name]
    later = [part for part in uses if part.lineno > (node.end_lineno or node.lineno)]
    later.sort(key=lambda part: (part.lineno, isinstance(part.ctx, ast.Store), part.col_offset))
    return bool(later) and isinstance(later[0].ctx, ast.Load)
