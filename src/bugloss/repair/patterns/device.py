"""Where tensors are."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting, FixExample


class DeviceFix(Adopting):
    """What it changes
    ---------------
    Tensors are made on the device of what they meet, and registered so that they move with the model.

    When it is tried
    ----------------
    With findings about devices, and crashes about tensors on two of them.

    Known problems
    --------------
    The machine that validates a patch may have no such device.

    References
    ----------
    A pattern of bugloss, beside the fifteen of "Repairing Deep Neural Networks" (ICSE 2020).
    """

    fix_pattern = FixPattern.DEVICE
    examples = (
        FixExample(
            """\
import torch
from torch import nn

class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.noise = torch.randn(8)

    def forward(self, x):
        return x + self.noise
""",
            """\
import torch
from torch import nn

class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("noise", torch.randn(8))

    def forward(self, x):
        return x + self.noise
""",
        ),
    )
