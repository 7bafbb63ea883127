"""How layers are connected."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.calls_in_training import checkpoint_without_reentry
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator

_SURE = 0.8  # of the cause's confidence: a gradient can be missing for other reasons


class NeuralConnectionFix(FixGenerator):
    """What it changes
    ---------------
    A layer is registered, called, or fed; a list of layers becomes one that the optimizer sees.

    When it is tried
    ----------------
    With findings about modules that nothing registers or calls, and causes about gradients that do not arrive. Where
    one of them brings no edit, checkpointed blocks get `use_reentrant=False`.

    Known problems
    --------------
    More parameters are trained afterwards, so checkpoints of the old program do not fit.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.NEURAL_CONNECTION
    examples = (
        FixExample(
            """\
from torch.utils.checkpoint import checkpoint


def encode(blocks, x):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=True)
    return x
""",
            """\
from torch.utils.checkpoint import checkpoint


def encode(blocks, x):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)
    return x
""",
            causes=("detached-from-loss",),
        ),
        FixExample(
            """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(3)]

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x
""",
            """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x
""",
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        cause = case.named("detached-from-loss", "frozen-layers")
        for module in case.project.modules() if cause is not None and not cause.edits else ():
            for edit in checkpoint_without_reentry(module):
                if cause is not None:
                    yield self.patch(edit, round(cause.confidence * _SURE, 3), cause.explanation)
