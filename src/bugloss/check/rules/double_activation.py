"""double-activation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.activation import activation
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.head_edits import WrittenNode, remove_activation
from bugloss.source.networks.network import applications, is_linear
from bugloss.source.program import Program

_MAKE_POSITIVE = {"softplus", "exponential"}  # of a variance or a rate, on purpose


class DoubleActivation(Rule):
    """One activation is applied to the output of another.

    ## What it finds
    Two activations in a row: a layer with an activation argument followed by an activation layer, or two activation
    calls nested in each other.

    ## Why it hurts
    The second activation limits what the network can express: the sigmoid of a softmax is always between 0.5 and
    0.73, a softmax after a ReLU sees no negative scores, and a ReLU after a ReLU does nothing.

    ## Example
    ```python
    model.add(Dense(10, activation="relu"))
    model.add(Activation("softmax"))
    ```

    ## Use instead
    ```python
    model.add(Dense(10))
    model.add(Activation("softmax"))
    ```

    ## Known problems
    The same rectifier twice is harmless and reported as advice. Recurrent layers have a tanh of their own and are not
    reported.

    ## Fix safety
    No fix is offered: either of the two may be the intended one.

    ## References
    NeuraLint (Nikanjam et al., 2021) names redundant activations.
    """

    name = "double-activation"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.ACTIVATION
    groups = ("neuralint",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense, Activation

model = Sequential()
model.add(Dense(10, input_dim=4, activation="relu"))
model.add(Activation("softmax"))
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 4)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        return torch.sigmoid(self.softmax(self.out(x)))
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Dense, Activation, BatchNormalization

model = Sequential()
model.add(Dense(10, input_dim=4))
model.add(BatchNormalization())
model.add(Activation("relu"))
model.add(Dense(3, activation="softmax"))
""",
        """\
from keras.models import Sequential
from keras.layers import LSTM, Activation, Dense

model = Sequential([LSTM(8, input_shape=(10, 2)), Activation("relu"), Dense(1, activation="linear")])
model.add(Activation("sigmoid"))
""",
        """\
import torch
from torch import nn

def gate(x, first, second):
    return torch.sigmoid(first(x)) * torch.tanh(second(x))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for _, step, before in applications(program, "activation"):
            kept = (part for part in before if part.role not in {"dropout", "same"} and not is_linear(part))
            steps = list(islice(kept, 2))
            if not steps or steps[0].role != "activation" or "?" in {step.name, steps[0].name} or is_linear(step):
                continue
            if len(steps) > 1 and steps[1].role == "recurrent":
                continue
            first, second = steps[0].name, step.name
            harmless = first == second or (_rectifies(first) and _rectifies(second))
            if first == "softplus":  # tanh(softplus(x)) is a part of mish
                continue
            if harmless or _narrows(first) or _narrows(second):
                message = f"{second} is applied to the output of {first}"
                edit = remove_activation(WrittenNode(program, step.node)) if isinstance(step.node, ast.expr) else None
                severity = Severity.ADVICE if harmless else None
                yield self.finding(program, step.node, message, severity=severity, fix=suggested(edit))


def _narrows(name: str) -> bool:
    known = activation(name)
    return known is not None and known.narrows


def _rectifies(name: str) -> bool:
    known = activation(name)
    return known is not None and not (known.narrows or known.is_identity or known.name in _MAKE_POSITIVE)
