"""log-of-softmax."""

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


class LogOfSoftmax(Rule):
    """``log(softmax(x))`` is used instead of ``log_softmax(x)``.

    ## What it finds
    ``log`` applied directly to the result of ``softmax`` in PyTorch, TensorFlow or Keras.

    ## Why it hurts
    For a very unlikely class, the softmax underflows to exactly zero in single precision; its logarithm is minus
    infinity, and the loss and all gradients become NaN. ``log_softmax`` computes in log space and does not underflow.

    ## Example
    ```python
    loss = -torch.log(torch.softmax(logits, dim=1))[rows, labels].mean()
    ```

    ## Use instead
    ```python
    loss = -torch.log_softmax(logits, dim=1)[rows, labels].mean()
    ```
    or a loss that takes logits, such as ``torch.nn.functional.cross_entropy``.

    ## Known problems
    A softmax in a function of another file is not found.

    ## Fix safety
    Safe: ``log_softmax`` computes the same value more accurately.

    ## References
    Blanchard, Higham, Higham: Accurately computing the log-sum-exp and softmax functions, IMA Journal of Numerical
    Analysis, 2021.
    """

    name = "log-of-softmax"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("softmax", "Softmax")
    faulty = (
        """\
import torch

def loss(logits, labels):
    return -torch.log(torch.softmax(logits, dim=1)).gather(1, labels).mean()
""",
        """\
import tensorflow as tf

def cross_entropy(labels, logits):
    return -tf.reduce_sum(labels * tf.math.log(tf.nn.softmax(logits)), axis=1)
""",
        """\
import torch.nn.functional as F

def loss(scores):
    probabilities = F.softmax(scores, dim=-1)
    return probabilities.log().mean()
""",
    )
    clean = (
        """\
import torch

def loss(logits, labels):
    return -torch.log_softmax(logits, dim=1).gather(1, labels).mean()
""",
        """\
import torch

def loss(logits):
    return torch.log(torch.softmax(logits, dim=1) + 1e-8).mean()
""",
        """\
import torch

def loss(logits):
    return torch.softmax(logits, dim=1).clamp(min=1e-7).log().mean()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def loss(logits, labels):
    return -torch.log_softmax(logits, dim=1).gather(1, labels).mean()
""",
        1: """\
import tensorflow as tf

def cross_entropy(labels, logits):
    return -tf.reduce_sum(labels * tf.nn.log_softmax(logits), axis=1)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in logarithms(program):
            if made_by(operand(operation), "softmax"):
                message = "softmax underflows to zero, and its logarithm is minus infinity: use log_softmax"
                yield self.finding(
                    program, operation.node, message, fix=_fused(program, operation.node, operand_node(operation))
                )


def _fused(program: Program, node: ast.expr, inner: ast.expr | None) -> Fix | None:
    """``torch.log(torch.softmax(x, 1))`` as ``torch.log_softmax(x, 1)``, when both are in one expression."""
    if not isinstance(inner, ast.Call) or method_of(inner) != "softmax" or method_of(node) != "log":
        return None
    function = program.names.qualified(inner.func) or "torch."
    if not function.startswith(("torch.", "tensorflow.nn.", "keras.ops.")):
        return None
    called = program.source.segment(inner.func)
    arguments = program.source.segment(inner)[len(called) :]
    text = f"{called.removesuffix('softmax')}log_softmax{arguments}"
    return replace_node(program, node, text, "use log_softmax", Safety.SAFE)
