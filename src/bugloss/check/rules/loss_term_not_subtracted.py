"""loss-term-not-subtracted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import origin_nodes
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import walk


class LossTermNotSubtracted(Rule):
    """A loss function returns a score that should increase, such as an overlap.

    ## What it finds
    A function named as a loss (``dice_loss``, ``iou_loss``, ``jaccard_loss``, ``tversky_loss``, ``ssim_loss`` …)
    that returns the coefficient itself, neither subtracted from one nor negated.

    ## Why it hurts
    Training minimises what a loss returns. The overlap of prediction and target is pushed to zero.

    ## Example
    ```python
    def dice_loss(p, y):
        return (2 * (p * y).sum() + 1) / (p.sum() + y.sum() + 1)
    ```

    ## Use instead
    ```python
    def dice_loss(p, y):
        return 1 - (2 * (p * y).sum() + 1) / (p.sum() + y.sum() + 1)
    ```

    ## Known problems
    A function whose caller subtracts the result is not reported if this is in the same file.

    ## Fix safety
    Suggested: the result is subtracted from one.

    ## References
    Milletari et al., V-Net (2016).
    """

    name = "loss-term-not-subtracted"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("loss", "Loss")
    faulty = (
        """\
import torch

def dice_loss(logits, mask):
    p = torch.sigmoid(logits)
    overlap = (p * mask).sum()
    dice = (2 * overlap + 1) / (p.sum() + mask.sum() + 1)
    return dice
""",
    )
    clean = (
        """\
import torch

def dice(p, mask):
    return (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)

def dice_loss(p, mask):
    score = (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)
    return 1 - score

def iou_loss(p, mask):
    return -torch.log(dice(p, mask))

def tversky_loss(p, mask):
    return helper(p, mask)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for function in program.nodes[ast.FunctionDef]:
            if not isinstance(function, ast.FunctionDef) or not _is_overlap_loss(program, function):
                continue
            returns = [part for part in walk(function) if isinstance(part, ast.Return) and part.value is not None]
            if len(returns) != 1 or returns[0].value is None or _is_turned(program, function):
                continue
            value = returns[0].value
            parts = origin_nodes(program, value)
            divides = any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div) for part in parts)
            turned = any(isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub) for part in parts)
            subtracts = any(
                isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and _is_one(part.left) for part in parts
            )
            if divides and not turned and not subtracts:
                message = f"{function.name} returns the overlap, which training then minimises: return 1 - overlap"
                text = program.source.segment(value)
                shown = text if isinstance(value, ast.Name | ast.Call) else f"({text})"
                yield self.finding(program, value, message, fix=suggested(replace_node(program, value, f"1 - {shown}")))


_OVERLAP = re.compile(r"(^|_)(dice|iou|jaccard|tversky|ssim|overlap|giou|f1)(_\w+)?_?loss", re.IGNORECASE)


def _is_overlap_loss(program: Program, function: ast.FunctionDef) -> bool:
    if _OVERLAP.search(function.name):
        return True
    owner = program.parents.get(function)
    named = isinstance(owner, ast.ClassDef) and re.match(r"\w*(Dice|IoU|Jaccard|Tversky|SSIM)\w*Loss", owner.name)
    return bool(named) and function.name in {"forward", "call", "__call__"}


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in {1}


def _is_turned(program: Program, function: ast.FunctionDef) -> bool:
    """Whether a caller in the file subtracts or negates the result."""
    for call in program.called(function.name):
        parent = program.parents.get(call)
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Sub) and parent.right is call:
            return True
        if isinstance(parent, ast.UnaryOp):
            return True
    return False
