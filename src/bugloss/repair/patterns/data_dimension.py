"""Shapes of data."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash_event import Operand
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.repair.crashed_line import tensors_on_line
from bugloss.source.editing import call_on

_SURE = 0.12  # a guess: what is known of the crash comes first
_ABOUT_SHAPES = re.compile(r"\b(?:shape|size|dimension|channels?|expected input|broadcast|dim)", re.IGNORECASE)


def _changes(operand: Operand) -> Iterator[str]:
    """What loses nothing: axes in another order, an axis of one sample more or less."""
    axes = len(operand.shape)
    if axes == 4 and operand.shape[-1] <= 4 < operand.shape[1]:
        yield "permute(0, 3, 1, 2)"  # channels last
    if axes in (1, 3):
        yield "unsqueeze(0)"
        yield "unsqueeze(1)"
    if axes > 1 and operand.shape[-1] == 1:
        yield "squeeze(-1)"
    if axes > 2:
        yield "flatten(1)"
    if axes == 2:
        yield "t()"


class DataDimensionFix(FixGenerator):
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
    untouched = (
        """\
import torch
from torch import nn


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
criterion = nn.CrossEntropyLoss()
inputs, targets = torch.randn(32, 8), torch.randint(0, 3, (32,))
for step in range(20):
    optimizer.zero_grad()
    loss = criterion(model(inputs), targets)
    loss.backward()
    optimizer.step()
""",
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        if case.framework != "torch" or case.scene is None or not _ABOUT_SHAPES.search(case.scene.text):
            return
        for module, name, operand in tensors_on_line(case):
            for call in _changes(operand):
                edit = call_on(module, name, call)
                reason = f"{name.id} has shape {operand.shape} in the line that fails."
                yield self.patch(
                    edit, _SURE, reason, warnings=("the shape fits; whether axes mean the same is not known",)
                )
