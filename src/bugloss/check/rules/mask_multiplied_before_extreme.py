"""mask-multiplied-before-extreme."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of, receiver_of, walk


class MaskMultipliedBeforeExtreme(Rule):
    """Values are excluded by multiplying with zero before a minimum, a maximum or a softmax.

    ## What it finds
    A product with a mask (a name with "mask", or a comparison converted to a number) of which a minimum,
    ``argmin``, ``softmax`` or ``logsumexp`` is taken.

    ## Why it hurts
    Zero is a value like any other: the smallest distance is always the excluded one, and a softmax gives excluded
    entries a share.

    ## Example
    ```python
    nearest = (distances * different_mask).min(dim=1).values
    ```

    ## Use instead
    ```python
    nearest = distances.masked_fill(~different_mask, float("inf")).min(dim=1).values
    ```

    ## Known problems
    Products whose other factor is never above zero are reported as well.

    ## Fix safety
    No fix is offered: the value that stands for "excluded" depends on the operation.

    ## References
    Schroff et al., FaceNet (2015), selection of triplets; PyTorch documentation of ``masked_fill``.
    """

    name = "mask-multiplied-before-extreme"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("mask", "same", "different", ".float()", "cast", "valid")
    faulty = (
        """\
import torch

def hardest(distances, labels):
    different = (labels[:, None] != labels[None, :]).float()
    return (distances * different).min(dim=1).values
""",
        """\
import tensorflow as tf

def attend(scores, mask):
    weights = tf.nn.softmax(scores * mask, axis=-1)
    return weights
""",
    )
    clean = (
        """\
import torch

def hardest(distances, labels, mask):
    different = labels[:, None] != labels[None, :]
    furthest = (distances * (~different).float()).max(dim=1).values
    weights = torch.softmax(distances + (1 - mask) * -1e9, dim=1)
    return distances.masked_fill(~different, float("inf")).min(dim=1).values, furthest, weights
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("min", "amin", "argmin", "reduce_min", "softmax", "log_softmax", "logsumexp"):
            for given in (receiver_of(call), call.args[0] if call.args else None):
                product = definition(program, given) if given is not None else None
                if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult) and _has_mask(program, product):
                    message = f"excluded values are 0 before {method_of(call)}: fill them with inf (-inf for a softmax)"
                    yield self.finding(program, product, message)
                    break


_MASK = re.compile(r"(^|_)(mask|valid|keep)(s|ed)?($|_)|mask$", re.IGNORECASE)
_NUMBERS = {"float", "int", "to", "cast", "astype", "type_as", "double", "half"}


def _has_mask(program: Program, product: ast.BinOp) -> bool:
    """Whether one factor, and not the other, is a mask of zeros and ones."""
    return sum(_is_mask(program, side) for side in (product.left, product.right)) == 1


def _is_mask(program: Program, node: ast.expr) -> bool:
    if isinstance(node, ast.Name | ast.Attribute) and _MASK.search(last_part(node)):
        return True
    found = definition(program, node)
    if isinstance(found, ast.Compare):
        return True
    converted = isinstance(found, ast.Call) and method_of(found) in _NUMBERS
    return converted and any(_is_test(program, part) for part in walk(found))


def _is_test(program: Program, node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return isinstance(definition(program, node), ast.Compare)
    return isinstance(node, ast.Compare)
