"""normalised-over-batch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, method_of, receiver_of, written


class NormalisedOverBatch(Rule):
    """Embeddings are normalised over the samples of a batch, or over everything, before they are compared.

    ## What it finds
    ``F.normalize(x, dim=0)``, ``l2_normalize(x, axis=0)``, ``l2_normalize(x)`` without an axis, or ``x / x.norm()``
    without an axis, of a value whose products with other embeddings are taken.

    ## Why it hurts
    Each embedding is to have length one. Normalised over the batch, an embedding depends on the other samples, and
    similarities are not cosines.

    ## Example
    ```python
    z = F.normalize(encoder(x), dim=0)
    logits = z @ z_other.t()
    ```

    ## Use instead
    ```python
    z = F.normalize(encoder(x), dim=1)
    logits = z @ z_other.t()
    ```

    ## Known problems
    Columns that are normalised on purpose, as for decorrelation losses, are not multiplied with a transposed right
    side and not reported.

    ## Fix safety
    Suggested where an axis is given: it becomes -1.

    ## References
    PyTorch documentation of ``torch.nn.functional.normalize``; TensorFlow documentation of
    ``tf.math.l2_normalize``.
    """

    name = "normalised-over-batch"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("loss",)
    words = ("normalize", ".norm(")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def logits_of(image, text, scale):
    image = F.normalize(image, dim=0)
    text = F.normalize(text, dim=0)
    return scale * image @ text.t()
""",
        """\
import tensorflow as tf

def similarity(first, second):
    first = tf.math.l2_normalize(first)
    second = tf.math.l2_normalize(second)
    return tf.matmul(first, second, transpose_b=True)
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def logits_of(image, text, weights):
    image = F.normalize(image, dim=1)
    text = F.normalize(text)
    columns = F.normalize(weights, dim=0)
    return image @ text.t(), image @ columns
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        seen: set[ast.AST] = set()
        for side in _compared(program):
            made = definition(program, side)
            axis = _wrong_axis(made)
            if axis is None or made in seen:
                continue
            seen.add(made)
            fix = suggested(replace_node(program, axis, "-1")) if axis is not made else None
            message = "each embedding is to be normalised over its own features (the last axis), not over the batch"
            yield self.finding(program, made, message, fix=fix)


def _compared(program: Program) -> Iterator[ast.expr]:
    """Both sides of products of which the right one is transposed."""
    for node in program.nodes[ast.BinOp]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            right = _transposed(node.right)
            if right is not None:
                left = node.left
                yield from (left.right if isinstance(left, ast.BinOp) else left, right)
    for call in program.called("matmul", "mm"):
        flagged = is_constant(keyword_of(call, "transpose_b"), True)
        if len(call.args) == 2 and (flagged or _transposed(call.args[1]) is not None):
            yield from (call.args[0], call.args[1] if flagged else _transposed(call.args[1]) or call.args[1])


def _transposed(node: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return node.value
    if isinstance(node, ast.Call) and method_of(node) in {"t", "transpose"}:
        return receiver_of(node) if method_of(node) == "t" else (node.args or [node])[0]
    return None


def _wrong_axis(made: ast.expr) -> ast.expr | None:
    """The axis that is wrong, or the call itself where the axis is missing."""
    if isinstance(made, ast.Call) and method_of(made) in {"normalize", "l2_normalize"}:
        at = 2 if method_of(made) == "normalize" else 1
        axis = argument_node(made, at, "dim", "axis")
        if axis is None:
            return made if method_of(made) == "l2_normalize" else None
        return axis if is_constant(axis, 0) else None
    if isinstance(made, ast.BinOp) and isinstance(made.op, ast.Div) and method_of(made.right) == "norm":
        call = made.right
        plain = isinstance(call, ast.Call) and not call.keywords and len(call.args) <= ("linalg" in written(call.func))
        return made if plain else None
    return None
