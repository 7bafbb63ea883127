"""Activation functions."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.repair.contract import Adopting, FixExample


class ActivationFix(Adopting):
    """What it changes
    ---------------
    The activation of the output layer, so that it fits the loss; one between layers that have none.

    When it is tried
    ----------------
    With findings and causes about output layers, saturated or dead units.

    Known problems
    --------------
    Another output activation changes what saved predictions mean.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.ACTIVATION
    examples = (
        FixExample(
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1, activation="softmax")])
model.compile("adam", "binary_crossentropy")
""",
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
""",
        ),
    )
    untouched = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=4, activation="relu"), Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
""",
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
