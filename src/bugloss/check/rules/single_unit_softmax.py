"""single-unit-softmax."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.head_edits import WrittenNode, set_activation
from bugloss.source.networks.network import NetworkStep, applications
from bugloss.source.program import Program
from bugloss.source.semantics.keras_models import flat
from bugloss.source.values.values import Constant, Operation, integer_of


class SingleUnitSoftmax(Rule):
    """A softmax over a single unit is always one.

    ## What it finds
    A softmax that is applied to the output of a dense layer with one unit, or over an axis of length one.

    ## Why it hurts
    Softmax divides each score by the sum of all scores. With one score that is one, whatever the input: the network
    gives the same answer for every sample, the gradient is zero and nothing is learnt.

    ## Example
    ```python
    model.add(Dense(1, activation="softmax"))
    ```

    ## Use instead
    ```python
    model.add(Dense(1, activation="sigmoid"))
    ```

    ## Known problems
    None known.

    ## Fix safety
    No automatic fix: for two classes a sigmoid is right, for more classes the number of units is wrong.

    ## References
    Schoop et al., UMLAUT (2021); TheDeepChecker's list of head faults (Ben Braiek and Khomh, 2023).
    """

    name = "single-unit-softmax"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.ACTIVATION
    groups = ("neuralint", "heads")
    words = ("oftmax",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential()
model.add(Dense(16, input_dim=4, activation="relu"))
model.add(Dense(1, activation="softmax"))
""",
        """\
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(8, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return F.softmax(self.out(torch.relu(self.hidden(x))), dim=1)
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Dense, Activation

model = Sequential()
model.add(Dense(2, input_dim=4))
model.add(Activation("softmax"))
""",
        """\
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(16, 1)

    def forward(self, x):
        weights = torch.softmax(self.score(x), dim=1)
        return (weights * x).sum(dim=1)
""",
        """\
import keras
from keras import layers

sequence = keras.Input(shape=(20, 16))
scores = layers.Dense(1)(sequence)
weights = layers.Softmax(axis=1)(scores)
model = keras.Model(sequence, weights)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        outputs = {id(part) for model in program.models for output in model.outputs for part in flat(output)}
        for operation, step, before in applications(program, "activation"):
            source = next((earlier for earlier in before if earlier.role not in {"same", "dropout"}), None)
            if step.name not in {"softmax", "log_softmax"} or source is None:
                continue
            if source.role == "dense" and source.units == 1 and _over_units(operation, step, outputs):
                message = f"{step.name} over the single unit of {source.name} gives the same value for every input"
                fix = _sigmoid(program, step.node, operation.name)
                yield self.finding(program, step.node, message, layer=source.name, fix=fix)


def _sigmoid(program: Program, node: ast.AST, name: str) -> Fix | None:
    framework = "torch" if "torch" in name or name.startswith("Tensor.") else "keras"
    written = WrittenNode(program, node) if isinstance(node, ast.expr) else None
    return suggested(set_activation(written, "sigmoid", framework)) if written is not None else None


def _over_units(operation: Operation, step: NetworkStep, outputs: set[int]) -> bool:
    """Whether the softmax runs over the units. An attention score has one unit too, but it runs over positions."""
    given = operation.argument(1, "dim")
    if step.layer is not None:
        given = step.layer.arguments.get("dim", step.layer.arguments.get("axis", Constant(-1)))
    axis, shape = integer_of(given), step.tensor.shape
    if axis is None:
        return False
    if shape is not None:
        return axis in {-1, len(shape) - 1}
    return axis == -1 or (axis == 1 and id(step.tensor) in outputs)
