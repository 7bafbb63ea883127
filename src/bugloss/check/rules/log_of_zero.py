"""log-of-zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.numeric import cause_of_range, logarithms, names_argument, shown_range
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.lookback import guarded, made_by, operand
from bugloss.source.program import Program
from bugloss.source.values.values import Tensor


class LogOfZero(Rule):
    """A logarithm is taken of something that can be zero or negative.

    ## What it finds
    ``log``, ``log2`` or ``log10`` of a value whose range is known to reach zero or less: the output of ``relu``,
    one minus a sigmoid, a network that ends in softmax, pixels, literal data.

    ## Why it hurts
    The logarithm of zero is minus infinity and that of a negative number NaN. One such element is enough to turn
    the loss and then all weights into NaN.

    ## Example
    ```python
    loss = -torch.log(1 - torch.sigmoid(score)).mean()
    ```

    ## Use instead
    ```python
    loss = torch.nn.functional.softplus(score).mean()
    loss = -torch.log((1 - torch.sigmoid(score)).clamp(min=1e-7)).mean()
    ```

    ## Known problems
    Only ranges that follow from the code are known; a test around the call that looks at the same variables
    silences the rule.

    ## Fix safety
    No edit is offered: which bound is right depends on the data.

    ## References
    Zhang and others: Detecting numerical bugs in neural network architectures (DEBAR), ESEC/FSE 2020.
    """

    name = "log-of-zero"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("log",)
    faulty = (
        """\
import torch

def loss(score):
    return -torch.log(1 - torch.sigmoid(score)).mean()
""",
        """\
import torch.nn.functional as F

def entropy(x):
    return F.relu(x).log().sum()
""",
        """\
import numpy as np

weights = np.log(np.array([0, 3, 10]))
""",
    )
    clean = (
        """\
import torch

def loss(score):
    p = torch.sigmoid(score)
    return -torch.log(1 - p + 1e-7).mean()
""",
        """\
import numpy as np

def frequency(counts):
    return np.log(counts)
""",
        """\
import torch
import torch.nn.functional as F

def entropy(x):
    y = F.relu(x)
    return torch.log(y[y > 0]).sum()
""",
        """\
import torch

def volume(matrix, x):
    return torch.log(torch.abs(matrix)) + torch.log(torch.nn.functional.softplus(x)) + torch.log(torch.exp(x) * 0.5)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in logarithms(program):
            value = operand(operation)
            if not isinstance(value, Tensor) or value.interval.low > 0 or not value.interval.known:
                continue
            cause = cause_of_range(value)
            if cause is None or made_by(value, "softmax", "sigmoid") or value.interval.low == float("-inf"):
                continue  # two rules of their own look after softmax and sigmoid
            if "errstate" in operation.inside or guarded(program, operation.node, names_argument(operation)):
                continue
            name = operation.name.rsplit(".", 1)[-1]
            shown = f"{shown_range(value)} (it comes from {cause})"
            message = f"the argument of {name} is {shown}, and {name}(0) is minus infinity"
            given = names_argument(operation)
            text = f"{program.source.segment(given)} + 1e-8" if isinstance(given, ast.expr) else ""
            edit = replace_node(program, given, text) if text and given is not operation.node else None
            yield self.finding(program, operation.node, message, fix=suggested(edit))
