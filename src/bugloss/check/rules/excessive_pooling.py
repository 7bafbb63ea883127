"""excessive-pooling."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import straight_networks
from bugloss.source.program import Program

MANY = 4


class ExcessivePooling(Rule):
    """Every convolution is followed by pooling.

    ## What it finds
    A straight network with four or more convolutions, each of which is followed by a pooling layer.

    ## Why it hurts
    Each pooling layer discards three quarters of the positions. With pooling after every convolution the feature map
    is too small before deep features can form.

    ## Example
    ```python
    for filters in (16, 32, 64, 64):
        model.add(Conv2D(filters, 3))
        model.add(MaxPooling2D())
    ```

    ## Use instead
    ```python
    for filters in (32, 64):
        model.add(Conv2D(filters, 3))
        model.add(Conv2D(filters, 3))
        model.add(MaxPooling2D())
    ```

    ## Known problems
    This is a convention, not a requirement: many published networks do not follow it. Networks with up to three
    convolutions are not reported.

    ## Fix safety
    No fix is offered: the right layout depends on the task.

    ## References
    NeuraLint (Nikanjam et al., 2021), too much pooling.
    """

    name = "excessive-pooling"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    groups = ("neuralint", "style")
    words = ("ool",)
    faulty = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(128, 128, 3))])
for filters in (16, 32, 64, 64):
    model.add(layers.Conv2D(filters, 3, activation="relu"))
    model.add(layers.MaxPooling2D())
model.add(layers.Flatten())
""",
    )
    clean = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(128, 128, 3))])
for filters in (16, 32, 64, 64):
    model.add(layers.Conv2D(filters, 3, activation="relu"))
    model.add(layers.Conv2D(filters, 3, activation="relu"))
    model.add(layers.MaxPooling2D())
model.add(layers.Flatten())
""",
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(128, 128, 3))])
for filters in (16, 32):
    model.add(layers.Conv2D(filters, 3, activation="relu"))
    model.add(layers.MaxPooling2D())
model.add(layers.Flatten())
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for steps in straight_networks(program):
            order = [step for step in steps if step.role in {"conv", "pool"}]
            convolutions = [index for index, step in enumerate(order) if step.role == "conv"]
            pooled = [index for index in convolutions if index + 1 < len(order) and order[index + 1].role == "pool"]
            if len(pooled) == len(convolutions) >= MANY:
                message = f"each of the {len(convolutions)} convolutions is followed by pooling"
                yield self.finding(program, order[-1].node, message)
