"""sqrt-of-negative."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.numeric import SQUARE_ROOTS, cause_of_range, names_argument, shown_range
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.lookback import guarded, operand
from bugloss.source.program import Program
from bugloss.source.values.values import Operation, Tensor, Value, number_of


class SqrtOfNegative(Rule):
    """The argument of a square root can be negative.

    ## What it finds
    ``sqrt`` or a power with a fractional exponent (``x ** 0.5``) of a value whose range is known to reach below zero:
    the output of ``tanh``, a sine, a difference of such values, literal data.

    ## Why it hurts
    The result is NaN, without an error, and NaN propagates to the loss and the weights.

    ## Example
    ```python
    scale = torch.sqrt(torch.tanh(x))
    ```

    ## Use instead
    ```python
    scale = torch.sqrt(torch.tanh(x).clamp(min=0) + 1e-8)
    ```

    ## Known problems
    Values that are only bounded from above (``1 - x ** 2``) are not reported: often they are never negative in
    practice.

    ## Fix safety
    No fix is offered.

    ## References
    Zhang and others: Detecting numerical bugs in neural network architectures (DEBAR), ESEC/FSE 2020.
    """

    name = "sqrt-of-negative"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    faulty = (
        """\
import torch

def scale(x):
    return torch.sqrt(torch.tanh(x))
""",
        """\
import numpy as np

roots = np.array([-1.0, 4.0]) ** 0.5
""",
    )
    clean = (
        """\
import torch

def scale(x):
    return torch.sqrt(torch.tanh(x) + 1.0)
""",
        """\
import torch

def height(x):
    return torch.sqrt(1 - x ** 2) + torch.sqrt(1 - torch.cos(x) ** 2)
""",
        """\
import torch

def scale(x):
    y = torch.tanh(x)
    if y.min() > 0:
        return y.sqrt()
    return y
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation, value, node in _roots(program):
            if not isinstance(value, Tensor) or not -math.inf < value.interval.low < 0:
                continue
            cause = cause_of_range(value)
            if cause is None or guarded(program, operation.node, node):
                continue
            message = (
                f"the argument of the root is {shown_range(value)} (it comes from {cause}), so the result can be NaN"
            )
            yield self.finding(program, operation.node, message)


def _roots(program: Program) -> Iterator[tuple[Operation, Value, ast.expr]]:
    for operation in program.all_calls(*SQUARE_ROOTS):
        yield operation, operand(operation), names_argument(operation)
    for operation in program.all_calls("operator.pow"):
        exponent = number_of(operation.positional[1])
        if exponent is not None and exponent != int(exponent) and isinstance(operation.node, ast.BinOp):
            yield operation, operation.positional[0], operation.node.left
