"""Types of data."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting, FixExample


class DataTypeFix(Adopting):
    """What it changes
    ---------------
    A tensor is converted where it enters a layer or a loss: labels to integers, inputs to floats.

    When it is tried
    ----------------
    With crashes and findings about types. Where a crash has no better patch, the tensors on its line
    are converted one by one.

    Known problems
    --------------
    Converting to integers cuts fractions off.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.DATA_TYPE
    examples = (
        FixExample(
            """\
import torch
from torch import nn

criterion = nn.CrossEntropyLoss()
logits, target = torch.randn(4, 3), torch.zeros(4)
loss = criterion(logits, target)
""",
            """\
import torch
from torch import nn

criterion = nn.CrossEntropyLoss()
logits, target = torch.randn(4, 3), torch.zeros(4)
loss = criterion(logits, target.long())
""",
        ),
    )
