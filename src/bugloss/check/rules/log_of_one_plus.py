"""log-of-one-plus."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.numeric import LOGS, is_number
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of


class LogOfOnePlus(Rule):
    """``log(1 + x)`` is used instead of ``log1p(x)``.

    ## What it finds
    ``log(1 + x)`` in NumPy, PyTorch, TensorFlow or Keras.

    ## Why it hurts
    For small ``x`` the sum rounds to one and the result to zero: below about 1e-8 (single precision) ``x`` is lost.
    If ``x`` is an exponential, the sum overflows for large arguments, and the result is infinite.

    ## Example
    ```python
    y = torch.log(1 + x)
    ```

    ## Use instead
    ```python
    y = torch.log1p(x)
    ```
    and ``softplus(x)`` for ``log(1 + exp(x))``.

    ## Known problems
    For values that are never small, such as counts, both forms are equally accurate.

    ## Fix safety
    Safe: ``log1p`` is the same function, accurate for small arguments.

    ## References
    NumPy documentation of ``numpy.log1p``.
    """

    name = "log-of-one-plus"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("log",)
    faulty = (
        """\
import numpy as np

def squash(x):
    return np.log(1 + x)
""",
        """\
import torch

def softplus(x):
    return torch.log(1 + torch.exp(x))
""",
    )
    clean = (
        """\
import numpy as np

def squash(x):
    return np.log1p(x) + np.log(2 + x) + np.log(x)
""",
        """\
import math
import torch

def bits(n):
    return math.log(1 + n)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import numpy as np

def squash(x):
    return np.log1p(x)
"""
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls(*LOGS):
            node = operation.node
            if not isinstance(node, ast.Call) or method_of(node) != "log" or len(node.args) != 1 or node.keywords:
                continue
            small = _beside_one(node.args[0])
            if small is None or isinstance(small, ast.Constant):
                continue
            if method_of(small) == "exp":
                message = "log(1 + exp(x)) overflows for large x; use softplus(x)"
                yield self.finding(program, node, message, severity=Severity.WARNING)
            else:
                message = "log(1 + x) is inaccurate for small x; use log1p(x)"
                yield self.finding(program, node, message, fix=_fixed(program, node, small))


def _beside_one(node: ast.expr) -> ast.expr | None:
    """``x`` of ``1 + x`` or ``x + 1``."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    if is_number(node.left, 1):
        return node.right
    return node.left if is_number(node.right, 1) else None


def _fixed(program: Program, node: ast.Call, small: ast.expr) -> Fix | None:
    if not isinstance(node.func, ast.Attribute) or (program.names.raw(node.func) or "").startswith("keras.backend"):
        return None
    text = f"{program.source.segment(node.func)}1p({program.source.segment(small)})"
    return replace_node(program, node, text, "use log1p", Safety.SAFE)
