"""masked-branch-gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.numeric import WHERES, argument_of, definition, in_loss, same_text
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.lookback import without_gradient
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, walk
from bugloss.source.values.values import Operation

_SAFE = ("where", "clamp", "clip", "clamp_min", "maximum", "clip_by_value", "masked_fill")


class MaskedBranchGradient(Rule):
    """``where`` hides a bad value, but not its gradient.

    ## What it finds
    In a loss or a ``forward``: ``where(x > 0, log(x), 0)`` and the like, where the condition tests the expression
    that is the divisor or the argument of the logarithm or root.

    ## Why it hurts
    Both branches are computed, and both are differentiated. The gradient of the branch that is not selected is
    infinite; multiplied by the zero of the mask it is NaN, so the weights become NaN although the value looks fine.

    ## Example
    ```python
    loss = torch.where(p > 0, torch.log(p), torch.zeros_like(p)).mean()
    ```

    ## Use instead
    ```python
    safe = torch.where(p > 0, p, torch.ones_like(p))
    loss = torch.where(p > 0, torch.log(safe), torch.zeros_like(p)).mean()
    ```

    ## Known problems
    Code that is never differentiated is reported if it is in a function whose name contains "loss".

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch issue 68425 (gradients of masked branches); JAX frequently asked questions, "Gradients contain NaN where
    using where".
    """

    name = "masked-branch-gradient"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("where",)
    faulty = (
        """\
import torch

def entropy_loss(p):
    return -torch.where(p > 0, p * torch.log(p), torch.zeros_like(p)).sum()
""",
        """\
import tensorflow as tf

def ratio_loss(x, weight):
    return tf.reduce_mean(tf.where(weight > 0, x / weight, tf.zeros_like(x)))
""",
    )
    clean = (
        """\
import torch

def entropy_loss(p):
    safe = torch.where(p > 0, p, torch.ones_like(p))
    return -torch.where(p > 0, p * torch.log(safe), torch.zeros_like(p)).sum()
""",
        """\
import torch

def accuracy(correct, total):
    return torch.where(total > 0, correct / total, torch.zeros_like(total))
""",
        """\
import torch

def huber_loss(error):
    return torch.where(error.abs() < 1, 0.5 * error ** 2, error.abs() - 0.5).mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls(*WHERES):
            node = operation.node
            if not isinstance(node, ast.Call) or len(node.args) < 3 or not isinstance(node.args[0], ast.Compare):
                continue
            if not _differentiated(program, operation):
                continue
            tested = node.args[0].left
            bad = next((part for branch in node.args[1:3] for part in _singular(program, branch, tested)), None)
            if bad is not None:
                shown = ast.unparse(tested)
                message = f"both branches of where() are differentiated: where {shown} is masked, its gradient is NaN"
                yield self.finding(program, bad, message)


def _differentiated(program: Program, operation: Operation) -> bool:
    forward = any(place in {"function:forward", "function:call"} for place in operation.inside)
    return (forward or in_loss(program, operation)) and not without_gradient(program, operation)


def _singular(program: Program, branch: ast.expr, tested: ast.expr) -> Iterator[ast.expr]:
    """Logarithms, roots and divisions in a branch that work on the tested expression itself."""
    for part in walk(branch):
        inside: ast.expr | None = None
        if isinstance(part, ast.Call):
            inside = argument_of(program, part, "log", "sqrt", "log2", "log10", "rsqrt")
        elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div):
            inside = part.right
        if inside is not None and same_text(inside, tested) and method_of(definition(program, inside)) not in _SAFE:
            assert isinstance(part, ast.expr)
            yield part
