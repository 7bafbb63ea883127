"""division-by-zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.numeric import cause_of_range, shown_range
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.lookback import ancestry, guarded, made_by
from bugloss.source.program import Program
from bugloss.source.values.values import Operation, Tensor, Value, number_of

_QUOTIENTS = ("operator.div", "tensorflow.divide", "torch.div", "torch.divide", "numpy.divide", "keras.ops.divide")
_SPREADS = ("std", "var", "norm", "reduce_std", "reduce_variance")


class DivisionByZero(Rule):
    """A divisor can be zero.

    ## What it finds
    A division (or a negative power, or ``reciprocal``) by a value whose range is known to contain zero: the output of
    ``relu`` or ``tanh``, a sum of such outputs, literal data. A standard deviation or norm without an added epsilon
    is reported as advice.

    ## Why it hurts
    Division by zero gives infinity or NaN without an error, in the result and in the gradients.

    ## Example
    ```python
    weights = F.relu(scores)
    weights = weights / weights.sum(dim=1, keepdim=True)
    ```

    ## Use instead
    ```python
    weights = F.relu(scores)
    weights = weights / (weights.sum(dim=1, keepdim=True) + 1e-8)
    ```

    ## Known problems
    Values that are never zero in practice (the spread of a column that is never constant) are reported too; standard
    deviations are therefore only advice.

    ## Fix safety
    No fix is offered: the right epsilon depends on the scale of the data.

    ## References
    Zhang and others: Detecting numerical bugs in neural network architectures (DEBAR), ESEC/FSE 2020.
    """

    name = "division-by-zero"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    faulty = (
        """\
import torch.nn.functional as F

def attention(scores):
    weights = F.relu(scores)
    return weights / weights.sum(dim=1, keepdim=True)
""",
        """\
import torch

def ratio(x, y):
    return x / torch.tanh(y)
""",
        """\
import torch

def normalise(batch):
    return (batch - batch.mean()) / torch.std(batch, dim=0)
""",
    )
    clean = (
        """\
import numpy as np

edges = np.arange(0, 40, 4)
slopes = np.ones(9) / (edges[1:] - edges[:-1])
""",
        """\
import torch.nn.functional as F

def attention(scores):
    weights = F.relu(scores)
    return weights / (weights.sum(dim=1, keepdim=True) + 1e-8)
""",
        """\
import torch

def softmax(x):
    e = torch.exp(x - x.max())
    return e / e.sum()
""",
        """\
import torch

def ratio(x, y):
    z = torch.tanh(y)
    if (z == 0).any():
        return x
    return x / z
""",
        """\
import numpy as np

def ratio(x, count):
    return x / count + x / np.maximum(x, 1e-7)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation, divisor, node in _divisions(program):
            if not isinstance(divisor, Tensor) or not divisor.interval.known or not divisor.interval.contains(0):
                continue
            if _is_difference_of_parts(divisor):
                continue
            if "errstate" in operation.inside or guarded(program, operation.node, node):
                continue
            if made_by(divisor, *_SPREADS):
                message = "the divisor is a standard deviation or norm, which can be zero; add a small epsilon"
                yield self.finding(program, node, message, severity=Severity.ADVICE)
            elif (cause := cause_of_range(divisor)) is not None:
                message = f"the divisor is {shown_range(divisor)} (it comes from {cause}), so it can be zero"
                above = divisor.interval.low >= 0  # else a small number only moves the zero
                edit = replace_node(program, node, f"({program.source.segment(node)} + 1e-8)") if above else None
                yield self.finding(program, node, message, fix=suggested(edit))


def _is_difference_of_parts(divisor: Tensor) -> bool:
    """Whether one value is taken from another of the same origin, as neighbours are: its range says little then."""
    if divisor.made_by != "operator.sub" or len(divisor.inputs) != 2:
        return False
    one, other = ({id(part) for part in ancestry(value)} for value in divisor.inputs)
    return bool(one & other)


def _divisions(program: Program) -> Iterator[tuple[Operation, Value, ast.expr]]:
    """Every division with its divisor and the expression that names it."""
    for operation in program.all_calls(*_QUOTIENTS):
        if len(operation.positional) >= 2:
            node = operation.node
            parts = (
                [node.right] if isinstance(node, ast.BinOp) else node.args[1:2] if isinstance(node, ast.Call) else []
            )
            yield operation, operation.positional[1], parts[0] if parts else node
    for operation in program.all_calls("operator.pow"):
        exponent = number_of(operation.positional[1])
        if exponent is not None and exponent < 0 and isinstance(operation.node, ast.BinOp):
            yield operation, operation.positional[0], operation.node.left
    for operation in program.all_calls("torch.reciprocal", "tensorflow.math.reciprocal", "numpy.reciprocal"):
        yield operation, operation.argument(0), operation.node
