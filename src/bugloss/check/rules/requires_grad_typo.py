"""requires-grad-typo."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted


class RequiresGradTypo(Rule):
    """``requires_grad`` is misspelled in an assignment.

    ## What it finds
    An assignment to an attribute whose name is almost ``requires_grad``.

    ## Why it hurts
    Python creates a new attribute without an error: layers that should be frozen keep training, or inputs that need
    gradients get none.

    ## Example
    ```python
    parameter.require_grad = False
    ```

    ## Use instead
    ```python
    parameter.requires_grad = False
    ```

    ## Known problems
    Attributes of ``self`` are not reported.

    ## Fix safety
    Safe: the misspelled name has no effect.

    ## References
    TorchFix rule TOR002.
    """

    name = "requires-grad-typo"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("model",)
    words = ("torch",)
    faulty = (
        """\
import torchvision
import torch

model = torchvision.models.resnet18()
for parameter in model.parameters():
    parameter.require_grad = False
""",
    )
    clean = (
        """\
import torch

def freeze(model):
    for parameter in model.parameters():
        parameter.requires_grad = False
        parameter.requires_grad_(False)
""",
        """\
import torch

class Settings:
    def __init__(self):
        self.require_grad = True
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torchvision
import torch

model = torchvision.models.resnet18()
for parameter in model.parameters():
    parameter.requires_grad = False
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for node in program.nodes[ast.Attribute]:
            assert isinstance(node, ast.Attribute)
            if not isinstance(node.ctx, ast.Store) or "r" not in node.attr or not _is_close(node.attr):
                continue
            if dotted(node.value) != "self":
                message = f"{node.attr} is not a tensor attribute, so requires_grad is unchanged"
                fixed = f"{program.source.segment(node.value)}.requires_grad"
                fix = replace_node(program, node, fixed, "write requires_grad", Safety.SAFE)
                yield self.finding(program, node, message, fix=fix)


def _is_close(name: str) -> bool:
    if name == "requires_grad" or abs(len(name) - 13) > 2 or "gr" not in name:
        return False
    return difflib.SequenceMatcher(None, name, "requires_grad").ratio() > 0.85
