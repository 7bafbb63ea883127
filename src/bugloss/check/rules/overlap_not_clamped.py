"""overlap-not-clamped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of


class OverlapNotClamped(Rule):
    """The overlap of two boxes is computed without a lower bound of zero.

    ## What it finds
    A product of two differences ``right - left`` where ``right`` is a minimum and ``left`` a maximum of box edges,
    with no ``clamp``, ``maximum`` or ``max`` around the differences.

    ## Why it hurts
    Boxes that are apart in both directions have two negative differences, and their product is a positive overlap:
    an intersection over union of boxes that do not touch.

    ## Example
    ```python
    width = torch.min(x2a, x2b) - torch.max(x1a, x1b)
    height = torch.min(y2a, y2b) - torch.max(y1a, y1b)
    overlap = width * height
    ```

    ## Use instead
    ```python
    width = (torch.min(x2a, x2b) - torch.max(x1a, x1b)).clamp(min=0)
    height = (torch.min(y2a, y2b) - torch.max(y1a, y1b)).clamp(min=0)
    overlap = width * height
    ```

    ## Known problems
    A bound that is applied to the product only is accepted.

    ## Fix safety
    No fix is offered.

    ## References
    torchvision documentation of ``box_iou``.
    """

    name = "overlap-not-clamped"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("min",)
    faulty = (
        """\
import torch

def iou(a, b):
    left, top = torch.max(a[:, 0], b[:, 0]), torch.max(a[:, 1], b[:, 1])
    right, bottom = torch.min(a[:, 2], b[:, 2]), torch.min(a[:, 3], b[:, 3])
    overlap = (right - left) * (bottom - top)
    return overlap / (area(a) + area(b) - overlap)
""",
    )
    clean = (
        """\
import torch

def iou(a, b):
    left, top = torch.max(a[:, 0], b[:, 0]), torch.max(a[:, 1], b[:, 1])
    right, bottom = torch.min(a[:, 2], b[:, 2]), torch.min(a[:, 3], b[:, 3])
    width, height = (right - left).clamp(min=0), (bottom - top).clamp(min=0)
    overlap = width * height
    whole = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    return overlap / (whole + area(b) - overlap)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
                both = [definition(program, side) for side in (node.left, node.right)]
                if all(_is_gap(program, side) for side in both) and not _is_bounded(program, node):
                    message = "boxes that are apart get a positive overlap: bound both differences below by 0"
                    yield self.finding(program, node, message)


_LEAST, _MOST = {"min", "minimum", "amin"}, {"max", "maximum", "amax"}


def _is_gap(program: Program, node: ast.expr) -> bool:
    """Whether this is the smaller of two upper edges minus the larger of two lower ones."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return False
    upper, lower = definition(program, node.left), definition(program, node.right)
    return method_of(upper) in _LEAST and method_of(lower) in _MOST


def _is_bounded(program: Program, product: ast.BinOp) -> bool:
    """Whether the product itself is bounded, or tested."""
    parent = program.parents.get(product)
    return method_of(parent) in {"clamp", "clip", "maximum", "max", "relu", "where"} or isinstance(
        parent, ast.Attribute
    )
