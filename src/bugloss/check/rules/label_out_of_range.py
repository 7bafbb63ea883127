"""label-out-of-range."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import Encoding
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.heads import torch_losses
from bugloss.source.program import Program
from bugloss.source.values.values import Loss, Operation, Tensor


class LabelOutOfRange(Rule):
    """A class label is out of range for the outputs.

    ## What it finds
    ``CrossEntropyLoss`` or ``NLLLoss`` (and their functions) with targets whose known range contains negative values
    or values beyond the number of classes.

    ## Why it hurts
    PyTorch raises "Target 10 is out of bounds"; on a GPU a device-side assertion fails that does not name the line.

    ## Example
    ```python
    labels = torch.randint(0, 10, (64,))
    loss = F.cross_entropy(torch.nn.Linear(20, 5)(x), labels)
    ```

    ## Use instead
    ```python
    loss = F.cross_entropy(torch.nn.Linear(20, 10)(x), labels)
    ```

    ## Known problems
    Labels from outside the file are not known.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation of ``torch.nn.CrossEntropyLoss``.
    """

    name = "label-out-of-range"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LAYER_DIMENSION
    groups = ("data", "loss")
    words = ("torch",)
    faulty = (
        """\
import torch
import torch.nn.functional as F

labels = torch.randint(0, 10, (64,))
loss = F.cross_entropy(torch.nn.Linear(20, 5)(torch.randn(64, 20)), labels)
""",
        """\
import torch

criterion = torch.nn.CrossEntropyLoss()
loss = criterion(torch.randn(3, 3), torch.tensor([1, 2, 3]))
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

labels = torch.randint(0, 10, (64,))
loss = F.cross_entropy(torch.nn.Linear(20, 10)(torch.randn(64, 20)), labels)
padded = F.cross_entropy(torch.randn(2, 5), torch.tensor([1, -100]))
""",
        """\
import torch

def loss(scores, labels):
    return torch.nn.CrossEntropyLoss(ignore_index=255)(scores, labels)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loss, operation in torch_losses(program):
            scores, labels = operation.argument(0, "input"), operation.argument(1, "target")
            takes_classes = loss.targets is Encoding.CLASS_NUMBERS and not _ignores_some(operation)
            if not isinstance(scores, Tensor) or not isinstance(labels, Tensor) or not takes_classes:
                continue
            columns = scores.shape[1] if scores.shape and len(scores.shape) > 1 else None
            high = labels.interval.high
            if (
                isinstance(columns, int)
                and labels.dtype == "int64"
                and columns <= high < 1e6
                and labels.rank != scores.rank
            ):
                message = f"labels go up to {high:g}, but there are only {columns} outputs (0 to {columns - 1})"
                yield self.finding(program, operation.node, message)


def _ignores_some(operation: Operation) -> bool:
    """Whether one class index is set to be ignored."""
    loss = operation.receiver
    return "ignore_index" in (loss.arguments if isinstance(loss, Loss) else operation.keywords)
