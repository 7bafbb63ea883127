"""inverted-padding-mask."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.training.loss_calls import last_assigned

_IGNORE_TRUE = {"key_padding_mask", "src_key_padding_mask", "tgt_key_padding_mask", "memory_key_padding_mask"}


class InvertedPaddingMask(Rule):
    """A padding mask marks the tokens that count instead of the padding.

    ## What it finds
    ``key_padding_mask`` (and ``src_``, ``tgt_``, ``memory_key_padding_mask``) of PyTorch's attention given as
    ``tokens != padding``.

    ## Why it hurts
    PyTorch ignores the positions that are True. With the mask inverted, attention looks at the padding alone.

    ## Example
    ```python
    encoder(x, src_key_padding_mask=tokens != PAD)
    ```

    ## Use instead
    ```python
    encoder(x, src_key_padding_mask=tokens == PAD)
    ```

    ## Known problems
    Masks that come from other functions are not followed.

    ## Fix safety
    Suggested: the comparison is inverted.

    ## References
    PyTorch documentation, nn.MultiheadAttention.
    """

    name = "inverted-padding-mask"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("model",)
    words = ("_mask",)
    faulty = (
        """\
import torch

def encode(encoder, x, tokens, PAD):
    return encoder(x, src_key_padding_mask=tokens != PAD)
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, tokens):
        mask = tokens != 0
        out, _ = self.attention(x, x, x, key_padding_mask=mask)
        return out
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, tokens):
        mask = tokens != 0
        out, _ = self.attention(x, x, x, key_padding_mask=~mask)
        return self.encoder(out, src_key_padding_mask=tokens == 0)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for node in program.nodes[ast.keyword]:
            assert isinstance(node, ast.keyword)
            value = _compared(program, node.value) if node.arg in _IGNORE_TRUE else None
            if isinstance(value, ast.Compare) and len(value.ops) == 1 and isinstance(value.ops[0], ast.NotEq):
                left, right = map(program.source.segment, (value.left, value.comparators[0]))
                message = f"{node.arg} marks what to ignore, and here all but the padding: compare with =="
                fix = replace_node(program, value, f"{left} == {right}", "mark the padding")
                yield self.finding(program, node.value, message, fix=fix)


def _compared(program: Program, value: ast.expr) -> ast.expr | None:
    statement = program.enclosing(value, ast.stmt)
    if isinstance(value, ast.Name) and isinstance(statement, ast.stmt):
        assigned = last_assigned(program, value.id, statement)
        return assigned.value if assigned is not None else None
    return value
