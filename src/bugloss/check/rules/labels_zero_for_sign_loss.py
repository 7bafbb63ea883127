"""labels-zero-for-sign-loss."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import Encoding, spellings
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, keyword_of, method_of, receiver_of, targets_of


class LabelsZeroForSignLoss(Rule):
    """A loss that expects labels of 1 and -1 gets 0 and 1.

    ## What it finds
    ``CosineEmbeddingLoss``, ``HingeEmbeddingLoss``, ``MarginRankingLoss`` or ``SoftMarginLoss`` whose target is a
    comparison, a truth value cast to a number, or random zeros and ones.

    ## Why it hurts
    These losses multiply by the label or compare it with -1. With a label of 0, the term of negative pairs is zero or
    constant, so only positive pairs are learned.

    ## Example
    ```python
    loss = nn.CosineEmbeddingLoss()(a, b, (label_a == label_b).float())
    ```

    ## Use instead
    ```python
    loss = nn.CosineEmbeddingLoss()(a, b, (label_a == label_b).float() * 2 - 1)
    ```

    ## Known problems
    Labels that come from a file or another function are not known.

    ## Fix safety
    Suggested: 0 and 1 become -1 and 1.

    ## References
    PyTorch documentation of ``torch.nn.CosineEmbeddingLoss`` and ``torch.nn.MarginRankingLoss``.
    """

    name = "labels-zero-for-sign-loss"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = (
        "CosineEmbedding",
        "cosine_embedding",
        "HingeEmbedding",
        "hinge_embedding",
        "MarginRanking",
        "margin_ranking",
        "SoftMarginLoss",
        "soft_margin",
    )
    faulty = (
        """\
from torch import nn

criterion = nn.CosineEmbeddingLoss(margin=0.2)

def loss_of(a, b, first, second):
    same = (first == second).float()
    return criterion(a, b, same)
""",
        """\
import torch
import torch.nn.functional as F

def loss_of(a, b):
    target = torch.randint(0, 2, (len(a),))
    return F.cosine_embedding_loss(a, b, target)
""",
    )
    clean = (
        """\
import torch
from torch import nn

criterion = nn.CosineEmbeddingLoss(margin=0.2)

def loss_of(a, b, first, second, given):
    same = (first == second).float() * 2 - 1
    return criterion(a, b, same) + criterion(a, b, torch.ones(len(a))) + criterion(a, b, given)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        objects = {
            dotted(target): method_of(node.value)
            for node in program.nodes[ast.Assign]
            if isinstance(node, ast.Assign) and method_of(node.value) in _OBJECTS
            for target in targets_of(node)
        }
        names = {name.rsplit(".", 1)[-1] for name in objects}
        for call in program.called(*_FUNCTIONS, *names):
            kind = objects.get(dotted(call.func), method_of(call))
            place = 1 if "oft" in kind or "inge" in kind else 2
            given = keyword_of(call, "target") or (call.args[place] if len(call.args) > place else None)
            found = definition(program, given) if given is not None else None
            if (
                given is not None
                and found is not None
                and (kind in _OBJECTS or kind in _FUNCTIONS)
                and _is_binary(found)
            ):
                text = program.source.segment(found)
                message = f"{kind} expects labels of 1 and -1, but gets 0 and 1"
                fix = suggested(replace_node(program, found, f"2 * {text} - 1"))
                yield self.finding(program, call, message, fix=fix)


_SIGN_LOSSES = spellings(lambda row: row.targets is Encoding.SIGNS)
_OBJECTS, _FUNCTIONS = (
    frozenset(name for name in _SIGN_LOSSES if name.islower() is function) for function in (False, True)
)
_CASTS = {"float", "int", "long", "to", "type", "astype"}


def _is_binary(node: ast.expr) -> bool:
    """A comparison cast to a number, ``randint(0, 2)``, or zeros."""
    cast = False
    while isinstance(node, ast.Call) and method_of(node) in _CASTS and receiver_of(node) is not None:
        inner = receiver_of(node)
        if inner is None:
            break
        node, cast = inner, True
    if isinstance(node, ast.Compare):
        return cast
    if method_of(node) == "randint" and isinstance(node, ast.Call) and len(node.args) > 1:
        return is_constant(node.args[0], 0) and is_constant(node.args[1], 2)
    return method_of(node) in {"zeros", "zeros_like"}
