"""filters-not-growing."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import NetworkStep, is_plain_convolution, straight_networks
from bugloss.source.program import Program


class FiltersNotGrowing(Rule):
    """A convolution after pooling has fewer filters than the one before it.

    ## What it finds
    A straight convolutional classifier in which the number of filters decreases after pooling.

    ## Why it hurts
    Pooling reduces the area; more filters afterwards compensate for it. With fewer filters after pooling the network
    loses information early.

    ## Example
    ```python
    Conv2D(64, 3), MaxPooling2D(), Conv2D(16, 3)
    ```

    ## Use instead
    ```python
    Conv2D(16, 3), MaxPooling2D(), Conv2D(64, 3)
    ```

    ## Known problems
    This is a convention, not a requirement: many published networks do not follow it. Networks that upsample again
    are not reported.

    ## Fix safety
    No fix is offered: the right layout depends on the task.

    ## References
    NeuraLint (Nikanjam et al., 2021), non-increasing filters.
    """

    name = "filters-not-growing"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    groups = ("neuralint", "style")
    words = ("onv",)
    faulty = (
        """\
import keras
from keras import layers

model = keras.Sequential(
    [
        keras.Input(shape=(64, 64, 3)),
        layers.Conv2D(64, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(16, 3, activation="relu"),
        layers.Flatten(),
        layers.Dense(10, activation="softmax"),
    ]
)
""",
    )
    clean = (
        """\
import keras
from keras import layers

model = keras.Sequential(
    [
        keras.Input(shape=(64, 64, 3)),
        layers.Conv2D(16, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(32, 3, activation="relu"),
        layers.Conv2D(16, 1, activation="relu"),
        layers.Flatten(),
        layers.Dense(10, activation="softmax"),
    ]
)
""",
        """\
import keras
from keras import layers

coder = keras.Sequential(
    [
        keras.Input(shape=(64, 64, 3)),
        layers.Conv2D(32, 3, activation="relu", padding="same"),
        layers.MaxPooling2D(),
        layers.Conv2D(8, 3, activation="relu", padding="same"),
        layers.UpSampling2D(),
        layers.Conv2D(3, 3, padding="same"),
    ]
)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for steps in straight_networks(program):
            if steps[-1].role == "conv" or not any(step.role == "dense" for step in steps) or _grows_again(steps):
                continue
            before: int | None = None
            pooled = False
            for step in steps:
                pooled = pooled or step.role == "pool"
                if is_plain_convolution(step) and step.units is not None:
                    if pooled and before is not None and step.units < before:
                        message = (
                            f"{step.name} after pooling has {step.units} filters, fewer than the {before} before it"
                        )
                        yield self.finding(program, step.node, message)
                        break
                    before, pooled = step.units, False


def _grows_again(steps: list[NetworkStep]) -> bool:
    return any("Transpose" in step.name or step.name.startswith(("UpSampling", "Upsample")) for step in steps)
