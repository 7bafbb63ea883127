"""Names and parameters of another release."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting, FixExample


class VersioningFix(Adopting):
    """What it changes
    ---------------
    Modules, functions and parameters are written as the installed release has them.

    When it is tried
    ----------------
    With findings of the API catalogues, and crashes about names that do not exist.

    Known problems
    --------------
    A function of the same name may behave otherwise in another release.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.VERSIONING
    examples = (
        FixExample(
            """\
import keras

optimizer = keras.optimizers.Adam(lr=0.001)
""",
            """\
import keras

optimizer = keras.optimizers.Adam(learning_rate=0.001)
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
