"""naive-variance."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.numeric import argument_of, definition, same_text, square_of
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of

_MEANS = ("mean", "reduce_mean", "average")


class NaiveVariance(Rule):
    """A variance is computed as the mean of squares minus the square of the mean.

    ## What it finds
    ``mean(x ** 2) - mean(x) ** 2`` in any of the array libraries. Inside a square root it is a warning.

    ## Why it hurts
    The difference of two large, almost equal numbers is mostly rounding error. In single precision, a mean of a few
    thousand with a standard deviation of one leaves no correct digit; the result can be negative, and its root NaN.

    ## Example
    ```python
    std = torch.sqrt((x ** 2).mean() - x.mean() ** 2)
    ```

    ## Use instead
    ```python
    std = x.std(unbiased=False)
    ```

    ## Known problems
    For data around zero the formula is harmless.

    ## Fix safety
    No fix is offered: the the axes and the divisor (n or n - 1) have to be chosen.

    ## References
    Chan, Golub, LeVeque: Algorithms for computing the sample variance, The American Statistician, 1983.
    """

    name = "naive-variance"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("mean", "average")
    faulty = (
        """\
import torch

def spread(x):
    return torch.sqrt((x ** 2).mean() - x.mean() ** 2)
""",
        """\
import numpy as np

def variance(x):
    mean = np.mean(x, axis=0)
    squares = np.mean(x * x, axis=0)
    return squares - mean ** 2
""",
    )
    clean = (
        """\
import numpy as np

def variance(x):
    return np.mean((x - np.mean(x)) ** 2)
""",
        """\
import numpy as np

def difference(x, y):
    return np.mean(x ** 2) - np.mean(y) ** 2
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("operator.sub"):
            node = operation.node
            if isinstance(node, ast.BinOp) and _is_variance(program, node):
                rooted = method_of(program.parents.get(node)) == "sqrt"
                message = (
                    "mean(x²) - mean(x)² cancels to rounding error and can be negative; use the library's variance"
                )
                severity = Severity.WARNING if rooted else self.severity
                yield self.finding(program, node, message, severity=severity)


def _is_variance(program: Program, node: ast.BinOp) -> bool:
    mean_square = argument_of(program, definition(program, node.left), *_MEANS)
    squared = square_of(program, definition(program, mean_square)) if mean_square is not None else None
    mean = square_of(program, definition(program, node.right))
    averaged = argument_of(program, definition(program, mean), *_MEANS) if mean is not None else None
    return squared is not None and averaged is not None and same_text(squared, averaged)
