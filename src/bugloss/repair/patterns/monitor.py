"""What watches the training."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting, FixExample


class MonitorFix(Adopting):
    """What it changes
    ---------------
    Early stopping, checkpoints and comparisons of the best value look in the right direction.

    When it is tried
    ----------------
    With findings about monitors.

    Known problems
    --------------
    Such a patch changes which weights are kept; the training itself stays the same.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.MONITOR
    examples = (
        FixExample(
            """\
import keras

stop = keras.callbacks.EarlyStopping(monitor="val_accuracy", mode="min")
""",
            """\
import keras

stop = keras.callbacks.EarlyStopping(monitor="val_accuracy", mode="max")
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
