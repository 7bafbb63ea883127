"""The loss function, or how it is computed."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.repair.finite import root_of_more_than_zero


class LossFunctionFix(FixGenerator):
    """What it changes
    ---------------
    Another loss function, one that fits output layer and targets; or the same one in a form that stays finite.

    When it is tried
    ----------------
    With causes and findings about the loss, most of them decided by `core/network/fit.py`. A root whose gradient is
    infinite at zero is taken of slightly more.

    Known problems
    --------------
    Losses of two functions are on two scales: a patch is compared by accuracy, or by the share of the initial loss.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.LOSS_FUNCTION
    examples = (
        FixExample(
            """\
import torch
from torch import nn

def loss(logits, target):
    return -(torch.log(torch.softmax(logits, dim=1)) * target).sum()
""",
            """\
import torch
from torch import nn

def loss(logits, target):
    return -(torch.log_softmax(logits, dim=1) * target).sum()
""",
        ),
        FixExample(
            """\
import torch


def pair_loss(first, second):
    return torch.sqrt((first - second).pow(2).sum(dim=1)).mean()
""",
            """\
import torch


def pair_loss(first, second):
    return torch.sqrt((first - second).pow(2).sum(dim=1) + 1e-9).mean()
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
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=4, activation="relu"), Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
""",
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        for finding, module, call in case.calls_found("sqrt-gradient-at-zero"):
            edit = root_of_more_than_zero(module, call)
            if edit is not None:
                yield self.patch(edit, finding.confidence, finding.message)
