"""float-class-targets."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, convert_argument
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import Encoding
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.heads import torch_losses
from bugloss.source.program import Program
from bugloss.source.semantics.dtypes import is_floating
from bugloss.source.values.values import Tensor


class FloatClassTargets(Rule):
    """Class numbers reach a classification loss as floats.

    ## What it finds
    ``CrossEntropyLoss``, ``NLLLoss`` or their functions with a target that is known to be a float tensor of one
    axis.

    ## Why it hurts
    These losses take classes as integers and raise "expected target dtype to be Long". Floats are only accepted as
    probabilities, with one column per class.

    ## Example
    ```python
    loss = torch.nn.CrossEntropyLoss()(logits, torch.tensor([0.0, 2.0]))
    ```

    ## Use instead
    ```python
    loss = torch.nn.CrossEntropyLoss()(logits, torch.tensor([0, 2]))
    ```

    ## Known problems
    Targets whose type or number of axes is not known are left alone.

    ## Fix safety
    Suggested: the conversion may belong where the labels are made.

    ## References
    PyTorch documentation of ``torch.nn.CrossEntropyLoss``.
    """

    name = "float-class-targets"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_TYPE
    groups = ("dtype", "loss")
    words = ("torch",)
    faulty = (
        """\
import torch

def train(logits):
    target = torch.tensor([0.0, 2.0])
    return torch.nn.CrossEntropyLoss()(logits, target)
""",
        """\
import numpy as np
import torch
import torch.nn.functional as F

y = torch.from_numpy(np.random.randint(0, 3, size=8)).float()
loss = F.cross_entropy(torch.randn(8, 3), y)
""",
    )
    clean = (
        """\
import torch

def train(logits):
    target = torch.tensor([0, 2])
    return torch.nn.CrossEntropyLoss()(logits, target)
""",
        """\
import torch

logits = torch.randn(4, 3)
soft = torch.softmax(torch.randn(4, 3), dim=1)
loss = torch.nn.CrossEntropyLoss()(logits, soft)
""",
        """\
import torch

def train(logits, target):
    return torch.nn.CrossEntropyLoss()(logits, target) + torch.nn.MSELoss()(logits, torch.tensor([0.0, 2.0]))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loss, operation in torch_losses(program):
            scores, target = operation.argument(0, "input"), operation.argument(1, "target")
            takes_classes = loss.targets is Encoding.CLASS_NUMBERS
            if not takes_classes or not isinstance(target, Tensor) or target.library == "numpy":
                continue
            if is_floating(target.dtype) and target.rank == 1 and not (isinstance(scores, Tensor) and scores.rank == 1):
                message = (
                    f"the loss takes classes as integers, but the target is {target.dtype}; call .long() on the labels"
                )
                fix = convert_argument(program, operation.node, 1, "long()", "target")
                yield self.finding(program, operation.node, message, fix=fix)
