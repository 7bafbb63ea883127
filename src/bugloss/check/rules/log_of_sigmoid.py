"""log-of-sigmoid."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.numeric import logarithms
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.lookback import made_by, operand, operand_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of


class LogOfSigmoid(Rule):
    """``log(sigmoid(x))`` is used instead of ``logsigmoid(x)``.

    ## What it finds
    ``log`` applied directly to the result of ``sigmoid``.

    ## Why it hurts
    The sigmoid of a score below about -104 is exactly zero in single precision. Its logarithm is minus infinity, and
    its gradient is NaN.

    ## Example
    ```python
    loss = -torch.log(torch.sigmoid(score)).mean()
    ```

    ## Use instead
    ```python
    loss = -torch.nn.functional.logsigmoid(score).mean()
    ```

    ## Known problems
    A sigmoid that is applied in another file is not found.

    ## Fix safety
    Safe where a fix is offered: ``tf.math.log_sigmoid`` is the same function, computed without underflow. For PyTorch
    the message names ``logsigmoid``.

    ## References
    PyTorch documentation of ``torch.nn.LogSigmoid`` and ``torch.nn.BCEWithLogitsLoss``.
    """

    name = "log-of-sigmoid"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("sigmoid", "Sigmoid")
    faulty = (
        """\
import torch

def loss(score):
    return -torch.log(torch.sigmoid(score)).mean()
""",
        """\
import tensorflow as tf

def loss(score):
    return -tf.reduce_mean(tf.math.log(tf.math.sigmoid(score)))
""",
    )
    clean = (
        """\
import torch

def loss(score):
    return -torch.nn.functional.logsigmoid(score).mean()
""",
        """\
import torch

def loss(score):
    return -torch.log(torch.sigmoid(score) + 1e-8).mean()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        1: """\
import tensorflow as tf

def loss(score):
    return -tf.reduce_mean(tf.math.log_sigmoid(score))
"""
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in logarithms(program):
            if made_by(operand(operation), "sigmoid"):
                message = (
                    "sigmoid underflows to zero for very negative scores, and its log is minus infinity: use logsigmoid"
                )
                yield self.finding(
                    program, operation.node, message, fix=_fused(program, operation.node, operand_node(operation))
                )


def _fused(program: Program, node: ast.expr, inner: ast.expr | None) -> Fix | None:
    """``tf.math.log(tf.math.sigmoid(x))`` as ``tf.math.log_sigmoid(x)``."""
    if not isinstance(inner, ast.Call) or method_of(node) != "log" or not isinstance(node, ast.Call):
        return None
    if program.names.raw(node.func) != "tensorflow.math.log" or len(inner.args) != 1 or inner.keywords:
        return None
    text = f"{program.source.segment(node.func)}_sigmoid({program.source.segment(inner.args[0])})"
    return replace_node(program, node, text, "use log_sigmoid", Safety.SAFE)
