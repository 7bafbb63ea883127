"""focal-factor-not-inverted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of, walk, written


class FocalFactorNotInverted(Rule):
    """A focal loss gives easy samples the largest weight.

    ## What it finds
    ``pt ** gamma * ce`` in a function named as a focal loss, where ``(1 - pt) ** gamma`` is meant.

    ## Why it hurts
    The factor is to fade out samples that the network already gets right. Without the subtraction these dominate,
    and hard samples are ignored.

    ## Example
    ```python
    loss = pt**gamma * cross_entropy
    ```

    ## Use instead
    ```python
    loss = (1 - pt) ** gamma * cross_entropy
    ```

    ## Known problems
    The probability is recognised by its name: ``pt``, ``p_t``, ``prob``.

    ## Fix safety
    Suggested: the probability is subtracted from one.

    ## References
    Lin et al., Focal Loss for Dense Object Detection (2017), equation 4.
    """

    name = "focal-factor-not-inverted"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("focal", "Focal")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def focal_loss(logits, y, gamma=2.0):
    ce = F.cross_entropy(logits, y, reduction="none")
    pt = torch.exp(-ce)
    return (pt**gamma * ce).mean()
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def focal_loss(logits, y, gamma=2.0):
    ce = F.cross_entropy(logits, y, reduction="none")
    pt = torch.exp(-ce)
    wrong = 1 - pt
    return ((1 - pt) ** gamma * ce).mean() + (wrong**gamma * ce).mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for function in program.nodes[ast.FunctionDef]:
            owner = program.parents.get(function)
            name = getattr(owner, "name", "") + getattr(function, "name", "")
            if "focal" not in name.lower():
                continue
            for node in walk(function):
                base = _power(node)
                if base is None or not _PROBABILITY.match(last_part(base)):
                    continue
                made = definition(program, base)
                if isinstance(made, ast.BinOp) and isinstance(made.op, ast.Sub) and written(made.left) in {"1", "1.0"}:
                    continue
                message = "easy samples get the largest weight: the factor is (1 - p) ** gamma"
                text = f"(1 - {program.source.segment(base)})"
                yield self.finding(program, node, message, fix=suggested(replace_node(program, base, text)))


_PROBABILITY = re.compile(r"p|pt|p_t|probs?|probability$")


def _power(node: ast.AST) -> ast.expr | None:
    """``p`` of ``p ** gamma`` or ``p.pow(gamma)``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and "gamma" in written(node.right).lower():
        return node.left if isinstance(node.left, ast.Name) else None
    if method_of(node) == "pow" and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        given = written(node.args[0]).lower() if node.args else ""
        return node.func.value if "gamma" in given and isinstance(node.func.value, ast.Name) else None
    return None
