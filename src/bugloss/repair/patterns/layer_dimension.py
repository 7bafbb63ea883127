"""Sizes of layers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.source.editing import replace_node

_EXPECTED = re.compile(r"Linear expects (?P<expected>\d+) features, but its input has shape \(.*?(?P<given>\d+)\)")


class LayerDimensionFix(FixGenerator):
    """What it changes
    ---------------
    The number of inputs, units, channels or the window of a layer, so that it fits its neighbours or the classes.

    When it is tried
    ----------------
    With crashes about sizes, and findings about layers that do not fit.

    Known problems
    --------------
    Weights that were saved with the old sizes cannot be loaded.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.LAYER_DIMENSION
    examples = (
        FixExample(
            """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(64, 10))
print(model(torch.randn(8, 784)))
""",
            """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
print(model(torch.randn(8, 784)))
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
        """A dense layer that gets another number of features takes them."""
        for finding, module, call in case.calls_found("shape-conflict"):
            said = _EXPECTED.search(finding.message)
            first = call.args[0] if call.args else None
            if said and isinstance(first, ast.Constant) and str(first.value) == said["expected"]:
                edit = replace_node(module, first, said["given"])
                yield self.patch(edit, finding.confidence, finding.message, changes_keys=True)
