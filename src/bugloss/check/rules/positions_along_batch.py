"""positions-along-batch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, last_part, method_of


class PositionsAlongBatch(Rule):
    """A positional encoding is added along the batch instead of the sequence.

    ## What it finds
    ``x + self.pe[: x.size(0)]`` in a program whose tensors have the batch first (``batch_first=True``).

    ## Why it hurts
    Every sample gets one constant vector, chosen by its place in the batch: the model cannot see the order of a
    sequence, and its answers depend on the batch.

    ## Example
    ```python
    x = x + self.pe[: x.size(0)]   # x is (batch, sequence, features)
    ```

    ## Use instead
    ```python
    x = x + self.pe[: x.size(1)]
    ```

    ## Known problems
    A module that is also used with the sequence first is reported.

    ## Fix safety
    Suggested: the second axis is used.

    ## References
    Vaswani et al., Attention Is All You Need (2017), section 3.5.
    """

    name = "positions-along-batch"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("layer",)
    words = ("batch_first=True", "batch_first = True")
    faulty = (
        """\
import torch
from torch import nn

class Positions(nn.Module):
    def forward(self, x):
        return x + self.pe[: x.size(0)]

layer = nn.TransformerEncoderLayer(32, 4, batch_first=True)
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Positions(nn.Module):
    def forward(self, x):
        return x + self.pe[: x.size(1)] + self.pe[:, : x.shape[1]]

layer = nn.TransformerEncoderLayer(32, 4, batch_first=True)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
                continue
            for side in (node.left, node.right):
                axis = _axis_of_length(side)
                if axis is not None and is_constant(axis, 0):
                    message = "the batch comes first, so this encoding follows the batch: take the length of axis 1"
                    yield self.finding(program, side, message, fix=suggested(replace_node(program, axis, "1")))


_ENCODING = re.compile(r"^(pe|pos\w*|encoding)$", re.IGNORECASE)


def _axis_of_length(node: ast.expr) -> ast.expr | None:
    """The axis of ``x`` whose length bounds a slice of the encoding's first axis."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    if (
        not isinstance(node, ast.Subscript)
        or not _ENCODING.match(last_part(node))
        or not isinstance(node.slice, ast.Slice)
    ):
        return None
    length = node.slice.upper
    if method_of(length) == "size" and isinstance(length, ast.Call) and length.args:
        return length.args[0]
    if isinstance(length, ast.Subscript) and last_part(length) == "shape" and isinstance(length.slice, ast.expr):
        return length.slice
    return None
