"""triplet-distances-swapped."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import swap_nodes
from bugloss.source.program import Program
from bugloss.source.text.syntax import written


class TripletDistancesSwapped(Rule):
    """A triplet loss pulls negatives closer and pushes positives away.

    ## What it finds
    ``relu(distance_to_negative - distance_to_positive + margin)``.

    ## Why it hurts
    The loss falls when the negative comes closer than the positive: the embedding learns the opposite.

    ## Example
    ```python
    loss = F.relu(d_negative - d_positive + margin).mean()
    ```

    ## Use instead
    ```python
    loss = F.relu(d_positive - d_negative + margin).mean()
    ```

    ## Known problems
    For similarities instead of distances the order is the other way round; names with ``sim`` or ``cos`` are not
    reported.

    ## Fix safety
    Suggested: the two terms change places.

    ## References
    Schroff et al., FaceNet (2015).
    """

    name = "triplet-distances-swapped"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("margin", "MARGIN", "alpha")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def loss_of(anchor, positive, negative, margin=1.0):
    d_pos = (anchor - positive).pow(2).sum(1)
    d_neg = (anchor - negative).pow(2).sum(1)
    return F.relu(d_neg - d_pos + margin).mean()
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def loss_of(anchor, positive, negative, margin=1.0):
    d_pos = (anchor - positive).pow(2).sum(1)
    d_neg = (anchor - negative).pow(2).sum(1)
    sim_pos = F.cosine_similarity(anchor, positive)
    sim_neg = F.cosine_similarity(anchor, negative)
    return F.relu(d_pos - d_neg + margin).mean() + F.relu(sim_neg - sim_pos + margin).mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
                continue
            inner = node.left
            named = re.search(r"margin|alpha", written(node.right), re.IGNORECASE)
            if not named or not isinstance(inner, ast.BinOp) or not isinstance(inner.op, ast.Sub):
                continue
            first, second = _text(program, inner.left), _text(program, inner.right)
            similar = re.search(r"sim|cos|score|dot|@|logit", first + second)
            if _NEGATIVE.search(written(inner.left)) and _POSITIVE.search(written(inner.right)) and not similar:
                message = "the distance to the negative is made small and the one to the positive large: swap them"
                fix = suggested(swap_nodes(program, inner.left, inner.right))
                yield self.finding(program, node, message, fix=fix)


_NEGATIVE = re.compile(r"neg|_n\b|\bdn\b|\bd_an\b", re.IGNORECASE)
_POSITIVE = re.compile(r"pos|_p\b|\bdp\b|\bd_ap\b", re.IGNORECASE)


def _text(program: Program, node: ast.expr) -> str:
    return (written(node) + " " + written(definition(program, node))).lower()
