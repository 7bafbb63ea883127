"""dropout-after-output."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.head_edits import WrittenNode, remove_activation
from bugloss.source.networks.heads import trained_heads
from bugloss.source.networks.network import chain
from bugloss.source.program import Program


class DropoutAfterOutput(Rule):
    """Dropout is applied to the output of the network.

    ## What it finds
    A dropout layer after the last layer with weights, so that it changes the predictions themselves.

    ## Why it hurts
    During training some outputs are set to zero and the others are scaled up. The loss then judges predictions that
    the network did not make: probabilities no longer add up to one, and a regression is pulled away from its
    targets.

    ## Example
    ```python
    model.add(Dense(10, activation="softmax"))
    model.add(Dropout(0.5))
    ```

    ## Use instead
    ```python
    model.add(Dropout(0.5))
    model.add(Dense(10, activation="softmax"))
    ```

    ## Known problems
    A network whose output feeds another network is left alone, unless it is compiled or judged by a loss itself.

    ## Fix safety
    No automatic fix: the layer can be moved or dropped.

    ## References
    The catalogue's row dropout-rate.
    """

    name = "dropout-after-output"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.REGULARIZATION
    groups = ("heads",)
    words = ("ropout",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense, Dropout

model = Sequential()
model.add(Dense(16, input_dim=4, activation="relu"))
model.add(Dense(3, activation="softmax"))
model.add(Dropout(0.5))
model.compile("adam", "categorical_crossentropy")
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Dense, Dropout

model = Sequential()
model.add(Dense(16, input_dim=4, activation="relu"))
model.add(Dropout(0.5))
model.add(Dense(3, activation="softmax"))
model.compile("adam", "categorical_crossentropy")
""",
        """\
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        return self.dropout(self.linear(x))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for trained in trained_heads(program):
            first = next((step for step in chain(trained.head.tensor) if step.role not in {"same", "reshape"}), None)
            if first is not None and first.role == "dropout" and trained.head.layer is not None:
                message = f"{first.name} after the output layer distorts what the loss sees"
                edit = remove_activation(WrittenNode(program, first.node)) if isinstance(first.node, ast.expr) else None
                yield self.finding(program, first.node, message, fix=suggested(edit))
