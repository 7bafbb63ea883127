"""What is done to the data."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting, FixExample


class DataWranglingFix(Adopting):
    """What it changes
    ---------------
    Scaling, shuffling, splitting and encoding, in the right order and with the right statistics.

    When it is tried
    ----------------
    With findings about pipelines, and causes about inputs and labels.

    Known problems
    --------------
    After a leak is closed the held-out metric may fall, because it was too good before: such a patch is not
    shown to help.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.DATA_WRANGLING
    examples = (
        FixExample(
            """\
from sklearn.preprocessing import StandardScaler

scaler = StandardScaler()
train = scaler.fit_transform(train)
test = scaler.fit_transform(test)
""",
            """\
from sklearn.preprocessing import StandardScaler

scaler = StandardScaler()
train = scaler.fit_transform(train)
test = scaler.transform(test)
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
