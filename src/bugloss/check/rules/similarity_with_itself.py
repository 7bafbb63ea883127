"""similarity-with-itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import spellings
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_text
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, written


class SimilarityWithItself(Rule):
    """A contrastive loss counts the similarity of each sample with itself.

    ## What it finds
    A matrix of similarities of one set of embeddings with itself (``z @ z.T``) that reaches a cross-entropy, a
    softmax or a logarithm of summed exponentials, in a function that never excludes the diagonal.

    ## Why it hurts
    The similarity of a sample with itself is the largest of its row. It dominates the denominator, so the other pairs,
    from which the network should learn, hardly count.

    ## Example
    ```python
    similarity = z @ z.t() / temperature
    loss = F.cross_entropy(similarity, partner)
    ```

    ## Use instead
    ```python
    similarity = z @ z.t() / temperature
    similarity.fill_diagonal_(float("-inf"))
    loss = F.cross_entropy(similarity, partner)
    ```

    ## Known problems
    A diagonal that is excluded in another function is not seen.

    ## Fix safety
    Suggested for PyTorch: the diagonal is filled before the loss is computed.

    ## References
    Chen et al., A Simple Framework for Contrastive Learning (2020), equation 1.
    """

    name = "similarity-with-itself"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("@", "matmul", "mm(")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def contrastive(first, second, temperature=0.1):
    z = F.normalize(torch.cat([first, second]), dim=1)
    similarity = z @ z.t() / temperature
    count = len(first)
    partner = torch.cat([torch.arange(count) + count, torch.arange(count)])
    return F.cross_entropy(similarity, partner)
""",
        """\
import tensorflow as tf

def loss_of(z, partner, temperature):
    similarity = tf.matmul(z, z, transpose_b=True) / temperature
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=partner, logits=similarity)
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def contrastive(z, partner, temperature=0.1):
    similarity = z @ z.t() / temperature
    similarity = similarity - 1e9 * torch.eye(len(z))
    return F.cross_entropy(similarity, partner)

def two_views(image, text):
    logits = image @ text.t()
    return F.cross_entropy(logits, torch.arange(len(image)))

def attention(x):
    return torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called(*_LOSSES):
            if any(word in scope_text(program, call) for word in _EXCLUDED):
                continue
            for given in (*call.args, *(item.value for item in call.keywords)):
                product = _own_product(program, given)
                if product is not None:
                    message = (
                        "the diagonal holds each sample's similarity with itself: fill it with -inf before the loss"
                    )
                    yield self.finding(program, product, message)
                    break


_LOSSES = (*spellings(lambda row: row.kind == "cross-entropy"), "criterion", "logsumexp", "reduce_logsumexp")
_EXCLUDED = ("diag", "eye(", "masked", "mask", "-inf", "float('inf", "1e9", "1e4", "where(", "triu", "tril")


def _own_product(program: Program, node: ast.expr) -> ast.expr | None:
    """The product of a matrix with its own transpose, behind names and factors."""
    found = definition(program, node)
    while isinstance(found, ast.BinOp) and isinstance(found.op, ast.Mult | ast.Div):
        found = definition(program, found.left)
    if isinstance(found, ast.BinOp) and isinstance(found.op, ast.MatMult):
        return found if _same(found.left, found.right) else None
    pair = found.args if isinstance(found, ast.Call) and method_of(found) in {"matmul", "mm", "dot"} else []
    return found if len(pair) == 2 and _same(pair[0], pair[1]) else None


def _same(left: ast.expr, right: ast.expr) -> bool:
    """Whether the right side is the left one, transposed in its two axes."""
    text, other = written(left), written(right)
    return isinstance(left, ast.Name) and (other in {text, f"{text}.T", f"{text}.t()", f"tf.transpose({text})"})
