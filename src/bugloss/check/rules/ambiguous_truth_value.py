"""ambiguous-truth-value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.lookback import ancestry, short
from bugloss.source.program import Program
from bugloss.source.values.shapes import product, show
from bugloss.source.values.values import Tensor


class AmbiguousTruthValue(Rule):
    """The condition of a Python branch is a tensor with several elements, or one without a value yet.

    ## What it finds
    ``if``, ``while``, ``assert``, ``and``, ``or`` or ``not`` on a comparison of tensors that is known to have more
    than one element, or on a TensorFlow 1 placeholder or Keras input, whose values come later.

    ## Why it hurts
    NumPy and PyTorch raise "truth value of an array with more than one element is ambiguous". A placeholder raises
    too: it has no value while the graph is built.

    ## Example
    ```python
    loss = torch.randn(8)
    if loss > 0:
        ...
    ```

    ## Use instead
    ```python
    if (loss > 0).any():
        ...
    y = tf.where(x > 0, a, b)      # in a graph
    ```

    ## Known problems
    Only shapes that can be derived from the source code are known.

    ## Fix safety
    No fix is offered: ``any`` and ``all`` mean different things.

    ## References
    PyTorch and NumPy documentation on ``any`` and ``all``; TensorFlow documentation of ``tf.cond``.
    """

    name = "ambiguous-truth-value"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("shapeflow",)
    faulty = (
        """\
import torch

loss = torch.randn(8)
if loss > 0:
    print("positive")
""",
        """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
y = x if x > 0 else -x
""",
    )
    clean = (
        """\
import keras
import numpy as np

model = keras.Sequential([keras.Input((4, 8)), keras.layers.Dense(1, activation="sigmoid")])
for likely in model.predict(np.zeros((1, 4, 8)))[0, :, 0]:
    print("yes" if likely > 0.5 else "no")
""",
        """\
import torch

loss = torch.randn(8)
if (loss > 0).any() or loss.mean() > 0:
    print("positive")
mask = loss > 0
""",
        """\
import numpy as np

def check(x, limit):
    if x > limit:
        return np.zeros(3) > 0
    return x
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("compare"):
            result = operation.result
            if not isinstance(result, Tensor) or not _decides(program, operation.node):
                continue
            if any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in getattr(operation.node, "ops", ())):
                continue
            count = product(result.shape) if result.shape is not None else None
            computed = result.library == "numpy"  # what predict() gives has values
            if not computed and any(short(part.made_by) in {"placeholder", "Input"} for part in ancestry(result)):
                yield self.finding(
                    program,
                    operation.node,
                    "this tensor has no value while the graph is built; use tf.where or tf.cond",
                )
            elif count is not None and count > 1:
                message = f"a comparison of shape {show(result.shape)} has no single truth value; use .any() or .all()"
                yield self.finding(program, operation.node, message)


def _decides(program: Program, node: ast.AST) -> bool:
    """Whether Python itself needs the truth value of the node."""
    parent = program.parents.get(node)
    if isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return parent.test is node
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    return isinstance(parent, ast.BoolOp)
