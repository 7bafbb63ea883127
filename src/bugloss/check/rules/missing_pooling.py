"""missing-pooling."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import straight_networks
from bugloss.source.program import Program

FEW = 3
LARGE = 20_000
_STRIDES = ("strides", "stride", "subsample")


class MissingPooling(Rule):
    """A convolutional network without pooling flattens a large feature map.

    ## What it finds
    A straight network with three or more convolutions, all of stride one and without any pooling, whose large feature
    map is flattened into a dense layer.

    ## Why it hurts
    The dense layer after it has a weight for every pixel of every channel: millions of weights that overfit and
    slow training down, while the convolutions see only a small neighbourhood.

    ## Example
    ```python
    Conv2D(32, 3), Conv2D(64, 3), Conv2D(64, 3), Flatten(), Dense(10)
    ```

    ## Use instead
    ```python
    Conv2D(32, 3), MaxPooling2D(), Conv2D(64, 3), MaxPooling2D(), Conv2D(64, 3), GlobalAveragePooling2D(), Dense(10)
    ```

    ## Known problems
    This is a convention, not a requirement: many published networks do not follow it. Only flattened vectors with
    more than 20,000 elements are reported.

    ## Fix safety
    No fix is offered: the right layout depends on the task.

    ## References
    NeuraLint (Nikanjam et al., 2021), lack of pooling.
    """

    name = "missing-pooling"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    groups = ("neuralint", "style")
    words = ("latten",)
    faulty = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(64, 64, 3))])
for filters in (32, 64, 64):
    model.add(layers.Conv2D(filters, 3, activation="relu"))
model.add(layers.Flatten())
model.add(layers.Dense(10, activation="softmax"))
""",
    )
    clean = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(64, 64, 3))])
for filters in (32, 64, 64):
    model.add(layers.Conv2D(filters, 3, strides=2, activation="relu"))
model.add(layers.Flatten())
model.add(layers.Dense(10, activation="softmax"))
""",
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(12, 12, 1))])
for filters in (8, 16, 16):
    model.add(layers.Conv2D(filters, 3, activation="relu"))
model.add(layers.Flatten())
model.add(layers.Dense(10, activation="softmax"))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for steps in straight_networks(program):
            convolutions = [step for step in steps if step.role == "conv"]
            if len(convolutions) < FEW or any(step.role in {"pool", "global-pool"} for step in steps):
                continue
            if any(key in (step.layer.arguments if step.layer else {}) for step in convolutions for key in _STRIDES):
                continue
            for step in steps:
                width = step.tensor.shape[-1] if step.name in {"Flatten", "flatten"} and step.tensor.shape else None
                if isinstance(width, int) and width > LARGE:
                    message = f"{len(convolutions)} convolutions without pooling flatten to {width} features"
                    yield self.finding(program, step.node, message)
