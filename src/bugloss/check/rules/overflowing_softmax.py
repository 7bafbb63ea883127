"""overflowing-softmax."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.numeric import argument_of, assignments, definition, same_text
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import walk

_SUMS = ("sum", "reduce_sum")


class OverflowingSoftmax(Rule):
    """A hand-written softmax does not subtract the maximum.

    ## What it finds
    ``exp(x) / sum(exp(x))`` in a function whose name contains "softmax", without subtracting the maximum first. With
    NumPy, which computes in double precision, it is advice.

    ## Why it hurts
    Single precision overflows at ``exp(89)``, double precision at ``exp(710)``. One large score makes the quotient
    infinity over infinity, which is NaN.

    ## Example
    ```python
    def softmax(x):
        return np.exp(x) / np.sum(np.exp(x), axis=1, keepdims=True)
    ```

    ## Use instead
    ```python
    def softmax(x):
        e = np.exp(x - np.max(x, axis=1, keepdims=True))
        return e / np.sum(e, axis=1, keepdims=True)
    ```

    ## Known problems
    Scores that the caller has already shifted or bounded are reported too.

    ## Fix safety
    No fix is offered: the axis of the maximum has to be chosen.

    ## References
    Blanchard, Higham, Higham: Accurately computing the log-sum-exp and softmax functions, IMA Journal of Numerical
    Analysis, 2021.
    """

    name = "overflowing-softmax"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("exp",)
    faulty = (
        """\
import numpy as np

def softmax(x):
    return np.exp(x) / np.sum(np.exp(x), axis=1, keepdims=True)
""",
        """\
import torch

def my_softmax(scores):
    e = torch.exp(scores)
    return e / e.sum(dim=1, keepdim=True)
""",
    )
    clean = (
        """\
import numpy as np

def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()
""",
        """\
import numpy as np

def softmax(x):
    x = x - x.max(axis=1, keepdims=True)
    return np.exp(x) / np.sum(np.exp(x), axis=1, keepdims=True)
""",
        """\
import torch

def contrast(similarity, temperature):
    e = torch.exp(similarity / temperature)
    return e / e.sum(dim=1, keepdim=True)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("operator.div"):
            node = operation.node
            function = program.enclosing(node, ast.FunctionDef)
            if not isinstance(node, ast.BinOp) or "softmax" not in getattr(function, "name", "").lower():
                continue
            scores = _scores(program, node)
            if scores is not None and not _shifted(program, scores):
                message = f"exp({ast.unparse(scores)}) overflows for large scores; subtract their maximum first"
                single = program.frameworks & {"torch", "tensorflow", "jax"} and "numpy" not in _exponential(
                    program, node
                )
                yield self.finding(program, node, message, severity=self.severity if single else Severity.ADVICE)


def _scores(program: Program, node: ast.BinOp) -> ast.expr | None:
    """``x`` when the quotient is ``exp(x) / sum(exp(x))``."""
    above = argument_of(program, definition(program, node.left), "exp")
    total = argument_of(program, definition(program, node.right), *_SUMS)
    below = argument_of(program, definition(program, total), "exp") if total is not None else None
    return above if above is not None and below is not None and same_text(above, below) else None


def _exponential(program: Program, node: ast.BinOp) -> str:
    """The canonical name of the exponential function; NumPy computes in double precision, which overflows rarely."""
    call = definition(program, node.left)
    return (program.names.qualified(call.func) if isinstance(call, ast.Call) else None) or ""


def _shifted(program: Program, scores: ast.expr) -> bool:
    """Whether a maximum is subtracted where the scores are used or made."""
    names = [part for part in walk(scores) if isinstance(part, ast.Name)]
    found = [scores, *(value for name in names for value in assignments(program, name))]
    return any(word in ast.unparse(part) for part in found for word in ("max", "clip", "clamp", "norm"))
