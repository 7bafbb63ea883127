"""dropout-before-pooling."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import applications
from bugloss.source.program import Program


class DropoutBeforePooling(Rule):
    """Dropout is applied directly before max pooling.

    ## What it finds
    A dropout layer whose output goes straight into a max-pooling layer.

    ## Why it hurts
    Max pooling keeps the largest of its window. A dropped activation is replaced by its neighbour, so the
    regularisation is weaker than the rate suggests.

    ## Example
    ```python
    model.add(Dropout(0.25))
    model.add(MaxPooling2D())
    ```

    ## Use instead
    ```python
    model.add(MaxPooling2D())
    model.add(Dropout(0.25))
    ```

    ## Known problems
    Average pooling is not reported.

    ## Fix safety
    No fix is offered.

    ## References
    NeuraLint (Nikanjam et al., 2021); Wu and Gu, Max-pooling dropout for regularization of convolutional neural
    networks (2015).
    """

    name = "dropout-before-pooling"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    groups = ("neuralint", "style")
    words = ("ropout",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Conv2D, Dropout, MaxPooling2D

model = Sequential([Conv2D(8, 3, input_shape=(32, 32, 3), activation="relu"), Dropout(0.25), MaxPooling2D()])
""",
        """\
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Dropout(0.25), nn.MaxPool2d(2))
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Conv2D, Dropout, MaxPooling2D

model = Sequential([Conv2D(8, 3, input_shape=(32, 32, 3), activation="relu"), MaxPooling2D(), Dropout(0.25)])
""",
        """\
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Dropout(0.25), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.ReLU(), nn.MaxPool2d(2))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for _, step, before in applications(program, "pool"):
            first = next((earlier for earlier in before if earlier.role not in {"same", "activation"}), None)
            if first is not None and first.role == "dropout" and step.name.lower().startswith("max"):
                yield self.finding(
                    program, step.node, f"{step.name} directly after {first.name} undoes part of the dropout"
                )
