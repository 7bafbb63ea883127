"""integer-targets-with-binary-loss."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, convert_argument
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import Encoding
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.heads import torch_losses
from bugloss.source.program import Program
from bugloss.source.semantics.dtypes import is_integral
from bugloss.source.values.values import Tensor


class IntegerTargetsWithBinaryLoss(Rule):
    """Integer labels reach a binary cross-entropy.

    ## What it finds
    ``BCELoss``, ``BCEWithLogitsLoss`` or their functions with a target that is known to hold integers or truth
    values.

    ## Why it hurts
    Binary cross-entropy computes with its targets and wants floats: PyTorch raises "Found dtype Long but expected
    Float".

    ## Example
    ```python
    loss = torch.nn.BCEWithLogitsLoss()(scores, torch.tensor([0, 1, 1]))
    ```

    ## Use instead
    ```python
    loss = torch.nn.BCEWithLogitsLoss()(scores, torch.tensor([0, 1, 1]).float())
    ```

    ## Known problems
    Types of labels that come from outside the file are not known.

    ## Fix safety
    Suggested: the conversion may belong where the labels are made.

    ## References
    PyTorch documentation of ``torch.nn.BCEWithLogitsLoss``.
    """

    name = "integer-targets-with-binary-loss"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_TYPE
    groups = ("dtype", "loss")
    words = ("torch",)
    faulty = (
        """\
import torch

def train(scores):
    labels = torch.randint(0, 2, (8, 1))
    return torch.nn.BCEWithLogitsLoss()(scores, labels)
""",
        """\
import torch
import torch.nn.functional as F

def train(scores):
    return F.binary_cross_entropy(torch.sigmoid(scores), torch.tensor([0, 1, 1]))
""",
    )
    clean = (
        """\
import torch

def train(scores):
    labels = torch.randint(0, 2, (8, 1)).float()
    return torch.nn.BCEWithLogitsLoss()(scores, labels)
""",
        """\
import torch

def train(scores, labels):
    return torch.nn.BCEWithLogitsLoss()(scores, labels) + torch.nn.CrossEntropyLoss()(scores, torch.tensor([0, 1, 1]))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loss, operation in torch_losses(program):
            target = operation.argument(1, "target")
            if loss.targets is not Encoding.BINARY or not isinstance(target, Tensor) or target.library != "torch":
                continue
            if is_integral(target.dtype) or target.dtype == "bool":
                message = (
                    f"binary cross-entropy computes with floats, but the target is {target.dtype}; call .float() on it"
                )
                fix = convert_argument(program, operation.node, 1, "float()", "target")
                yield self.finding(program, operation.node, message, fix=fix)
