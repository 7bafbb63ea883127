"""Types of data."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.repair.crashed_line import tensors_on_line
from bugloss.source.editing import call_on

_SURE = 0.15  # a guess: what is known of the crash comes first
_ABOUT_TYPES = re.compile(r"\b(?:dtype|scalar type|type Float|Double|Long|Half)\b")


class DataTypeFix(FixGenerator):
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
        if case.framework != "torch" or case.scene is None or not _ABOUT_TYPES.search(case.scene.text):
            return
        for module, name, operand in tensors_on_line(case):
            call = "float()" if "float" not in operand.dtype or operand.dtype.endswith("64") else "long()"
            reason = f"{name.id} is of type {operand.dtype} in the line that fails."
            yield self.patch(call_on(module, name, call), _SURE, reason)
