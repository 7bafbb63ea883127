"""exp-minus-one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.numeric import is_number
from bugloss.core.finding import Finding, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program

_EXPS = ("numpy.exp", "torch.exp", "tensorflow.exp", "tensorflow.math.exp", "jax.numpy.exp")


class ExpMinusOne(Rule):
    """``exp(x) - 1`` is used instead of ``expm1(x)``.

    ## What it finds
    ``exp`` of NumPy, PyTorch, TensorFlow or JAX minus one.

    ## Why it hurts
    For small ``x`` the exponential is close to one, and the difference is mostly rounding error.

    ## Example
    ```python
    y = np.exp(x) - 1
    ```

    ## Use instead
    ```python
    y = np.expm1(x)
    ```

    ## Known problems
    For arguments that are never small both forms are equally accurate.

    ## Fix safety
    Safe: ``expm1`` is the same function, accurate for small arguments.

    ## References
    NumPy documentation of ``numpy.expm1``.
    """

    name = "exp-minus-one"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("exp",)
    faulty = (
        """\
import numpy as np

def growth(rate):
    return np.exp(rate) - 1
""",
    )
    clean = (
        """\
import numpy as np

def growth(rate):
    return np.expm1(rate)
""",
        """\
import numpy as np

def decay(rate):
    return 1 - np.exp(rate) + (np.exp(rate) - 2)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import numpy as np

def growth(rate):
    return np.expm1(rate)
"""
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("operator.sub"):
            node = operation.node
            if not isinstance(node, ast.BinOp) or not is_number(node.right, 1) or not isinstance(node.left, ast.Call):
                continue
            call = node.left
            if program.names.qualified(call.func) not in _EXPS or len(call.args) != 1 or call.keywords:
                continue
            text = f"{program.source.segment(call.func)}m1({program.source.segment(call.args[0])})"
            fix = replace_node(program, node, text, "use expm1", Safety.SAFE)
            yield self.finding(program, node, "exp(x) - 1 is inaccurate for small x; use expm1(x)", fix=fix)
