"""sqrt-gradient-at-zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.numeric import argument_of, definition, in_loss, square_of
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.above_zero import raised_argument
from bugloss.source.lookback import guarded, without_gradient
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of
from bugloss.source.values.values import Operation

_SUMS = ("sum", "reduce_sum", "mean", "reduce_mean")


class SqrtGradientAtZero(Rule):
    """A loss takes the square root of a distance that can be exactly zero.

    ## What it finds
    In a loss function or class: ``sqrt`` of a sum of squared differences without an epsilon, and ``tf.norm`` of a
    difference. A root mean squared error over all elements is reported as advice.

    ## Why it hurts
    The derivative of the square root at zero is infinite. If two points are equal, infinity times zero makes the
    gradient NaN, and the next step makes every weight NaN.

    ## Example
    ```python
    distance = (a - b).pow(2).sum(dim=1).sqrt()
    ```

    ## Use instead
    ```python
    distance = ((a - b).pow(2).sum(dim=1) + 1e-9).sqrt()
    distance = torch.nn.functional.pairwise_distance(a, b)
    ```

    ## Known problems
    Distances that are computed outside a loss function are not checked. ``torch.norm`` is safe at zero and not
    reported.

    ## Fix safety
    No fix is offered: the size of the epsilon has to be chosen.

    ## References
    PyTorch issue 6394 (root written out) and pull request 2775 (why ``norm`` is safe at zero).
    """

    name = "sqrt-gradient-at-zero"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("sqrt", "norm")
    faulty = (
        """\
import torch
import torch.nn.functional as F

class ContrastiveLoss(torch.nn.Module):
    def forward(self, a, b, same):
        squared_distance = (a - b).pow(2).sum(dim=1)
        gap = F.relu(1.0 - squared_distance.sqrt())
        return (same * squared_distance + (1 - same) * gap.pow(2)).mean()
""",
        """\
import tensorflow as tf

def triplet_loss(anchor, positive, negative):
    near = tf.sqrt(tf.reduce_sum(tf.square(anchor - positive), axis=1))
    far = tf.sqrt(tf.reduce_sum(tf.square(anchor - negative), axis=1))
    return tf.reduce_mean(tf.maximum(near - far + 1.0, 0.0))
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
import torch.nn.functional as F

class ContrastiveLoss(torch.nn.Module):
    def forward(self, a, b, same):
        squared_distance = (a - b).pow(2).sum(dim=1)
        gap = F.relu(1.0 - (squared_distance + 1e-9).sqrt())
        return (same * squared_distance + (1 - same) * gap.pow(2)).mean()
""",
    }
    clean = (
        """\
import torch

def contrastive_loss(a, b):
    return torch.sqrt((a - b).pow(2).sum(dim=1) + 1e-9).mean()
""",
        """\
import torch

def distance(a, b):
    return torch.sqrt((a - b).pow(2).sum(dim=1))
""",
        """\
import torch

@torch.no_grad()
def validation_loss(a, b):
    return torch.sqrt((a - b).pow(2).sum(dim=1)).mean()
""",
        """\
import torch

def flow_loss(a, b):
    squared = (a - b).pow(2).sum(dim=1).clamp(min=1e-12)
    return torch.sqrt(squared).mean() + torch.norm(a - b)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.methods("sqrt", "norm"):
            if (
                operation.name.startswith("numpy.")
                or not in_loss(program, operation)
                or without_gradient(program, operation)
            ):
                continue
            kind = _danger(program, operation)
            if kind is None or guarded(program, operation.node, operation.node):
                continue
            message = (
                "the gradient of this root is infinite for two equal points and makes the weights NaN; add an epsilon"
            )
            edit = raised_argument(program, operation.node, "sqrt")
            yield self.finding(program, operation.node, message, severity=kind, fix=suggested(edit))


def _danger(program: Program, operation: Operation) -> Severity | None:
    node = operation.node
    if operation.name in {"tensorflow.norm", "tensorflow.linalg.norm"}:
        inside = argument_of(program, node, "norm")
        return Severity.WARNING if inside is not None and _is_difference(program, inside) else None
    inside = argument_of(program, node, "sqrt")
    total = definition(program, inside) if inside is not None else None
    squares = argument_of(program, total, *_SUMS) if total is not None else None
    base = square_of(program, definition(program, squares)) if squares is not None else None
    if base is None or not _is_difference(program, base):
        return None
    assert isinstance(total, ast.Call)
    partly = bool(total.keywords) or len(total.args) > (1 if method_of(total).startswith("reduce") else 0)
    return Severity.WARNING if partly else Severity.ADVICE


def _is_difference(program: Program, node: ast.expr) -> bool:
    found = definition(program, node)
    return isinstance(found, ast.BinOp) and isinstance(found.op, ast.Sub)
