"""The loss function, or how it is computed."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting, FixExample


class LossFunctionFix(Adopting):
    """What it changes
    ---------------
    Another loss function, one that fits output layer and targets; or the same one in a form that stays finite.

    When it is tried
    ----------------
    With causes and findings about the loss, most of them decided by `core/network/fit.py`.

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
