"""How calls are combined."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.source.editing import add_argument

_SURE = 0.8  # of the cause's confidence: which of the calls is the one that trains is not known


class ApiContractFix(FixGenerator):
    """What it changes
    ---------------
    Calls are added, moved or given other arguments: gradients cleared, modes set, steps in their order.

    When it is tried
    ----------------
    With findings about training loops, and crashes that a missing or misplaced call explains. A Keras model that is
    called in evaluation mode by its training step is called with ``training=True``.

    Known problems
    --------------
    A loop that is spread over several functions is not always followed.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.API_CONTRACT
    examples = (
        FixExample(
            """\
import torch
from torch import nn


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
criterion = nn.CrossEntropyLoss()
inputs, targets = torch.randn(32, 8), torch.randint(0, 3, (32,))
for step in range(20):
    loss = criterion(model(inputs), targets)
    loss.backward()
    optimizer.step()
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
    loss = criterion(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
        ),
        FixExample(
            """\
import tensorflow as tf


def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
""",
            """\
import tensorflow as tf


def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
""",
            causes=("training-mode-not-restored",),
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        cause = case.named("training-mode-not-restored")
        if cause is None or cause.edits or case.framework == "torch":
            return
        for tape in (module for module in case.project.modules() if module.mentions(["GradientTape"])):
            for call in tape.called("model", "network", "net"):
                given = {part.arg for part in call.keywords}
                edit = add_argument(tape, call, "training=True") if "training" not in given else None
                if edit is not None:
                    yield self.patch(edit, round(cause.confidence * _SURE, 3), cause.explanation)
