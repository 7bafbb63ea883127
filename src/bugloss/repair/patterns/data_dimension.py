"""Shapes of data."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash_event import Operand
from bugloss.repair.contract import Adopting, FixExample


class DataDimensionFix(Adopting):
    """What it changes
    ---------------
    An axis is added, removed or moved where a tensor enters a layer or a loss.

    When it is tried
    ----------------
    With crashes about shapes and findings about silent broadcasting. Where a crash has no better patch, usual changes
    of the tensors on its line are tried, those that lose nothing first.

    Known problems
    --------------
    A reshape that fits can still mix samples up: the relations of the model are tested after the patch. Nothing is
    resized.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.DATA_DIMENSION
    examples = (
        FixExample(
            """\
import torch
from torch import nn

model = nn.Linear(8, 1)
loss = nn.MSELoss()(model(torch.randn(32, 8)), torch.randn(32))
""",
            """\
import torch
from torch import nn

model = nn.Linear(8, 1)
loss = nn.MSELoss()(model(torch.randn(32, 8)).squeeze(-1), torch.randn(32))
""",
        ),
        FixExample(
            """\
import torch
from torch import nn

convolution = nn.Conv2d(3, 8, 3)


def features(images):
    return convolution(images)
""",
            """\
import torch
from torch import nn

convolution = nn.Conv2d(3, 8, 3)


def features(images):
    return convolution(images.permute(0, 3, 1, 2))
""",
            raised=(
                "RuntimeError: Given groups=1, weight of size [8, 3, 3, 3], expected input[4, 32, 32, 3] to have 3 "
                "channels, but got 32 channels instead"
            ),
            line=8,
            operands=(Operand("images", (4, 32, 32, 3), "float32"),),
        ),
    )
