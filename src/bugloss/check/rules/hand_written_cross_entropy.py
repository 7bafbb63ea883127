"""hand-written-cross-entropy."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.numeric import in_loss
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.lookback import ancestry, made_by, short, source_of
from bugloss.source.program import Program
from bugloss.source.values.values import UNKNOWN

_BOUNDING = ("add", "clamp", "clip", "clip_by_value", "maximum", "sub")


class HandWrittenCrossEntropy(Rule):
    """A cross-entropy is written by hand although the framework has one.

    ## What it finds
    In a loss function: labels times the logarithm of probabilities from a softmax or sigmoid, with an epsilon against
    ``log(0)``.

    ## Why it hurts
    The epsilon also cuts off the gradient where it matters most: for confidently wrong predictions. The framework's
    loss on logits needs no epsilon, is faster and checks shapes.

    ## Example
    ```python
    loss = -(labels * torch.log(torch.softmax(logits, dim=1) + 1e-8)).sum(dim=1).mean()
    ```

    ## Use instead
    ```python
    loss = torch.nn.functional.cross_entropy(logits, labels)
    ```

    ## Known problems
    Losses that only resemble a cross-entropy (focal loss, distillation) may be written by hand on purpose.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation of ``torch.nn.CrossEntropyLoss``; TensorFlow documentation of
    ``tf.nn.softmax_cross_entropy_with_logits``.
    """

    name = "hand-written-cross-entropy"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("debar", "numeric")
    words = ("log",)
    faulty = (
        """\
import torch

def classification_loss(logits, labels):
    p = torch.softmax(logits, dim=1)
    return -(labels * torch.log(p + 1e-8)).sum(dim=1).mean()
""",
    )
    clean = (
        """\
import torch

def classification_loss(logits, labels):
    return torch.nn.functional.cross_entropy(logits, labels)
""",
        """\
import torch

def entropy(logits):
    p = torch.softmax(logits, dim=1)
    return -(p * torch.log(p + 1e-8)).sum(dim=1)
""",
        """\
import torch

def smooth_loss(prediction, labels):
    return (labels * torch.log(prediction.abs() + 1.0)).mean()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("operator.mult"):
            logs = [value for value in operation.positional if made_by(value, "log")]
            if len(logs) != 1 or not in_loss(program, operation):
                continue
            inside = source_of(logs[0]) or UNKNOWN
            if not made_by(inside, *_BOUNDING):
                continue
            activation = next((v for v in ancestry(inside) if short(v.made_by).lower() in {"softmax", "sigmoid"}), None)
            if activation is not None and not any(value is activation for value in operation.positional):
                name = short(activation.made_by)
                message = f"hand-written cross-entropy on {name}: use the framework's loss on logits, which is stable"
                yield self.finding(program, operation.node, message)
