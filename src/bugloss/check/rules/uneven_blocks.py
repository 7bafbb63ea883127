"""uneven-blocks."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import NetworkStep, straight_networks
from bugloss.source.program import Program

MANY = 3


class UnevenBlocks(Rule):
    """Later blocks of a convolutional network are shallower than earlier ones.

    ## What it finds
    A straight network of three or more blocks (convolutions up to a pooling layer) in which a block has fewer
    convolutions than the one before it.

    ## Why it hurts
    Deep features need more layers than edges and colours. Shallower blocks towards the end put the depth where it
    helps least.

    ## Example
    ```python
    # three convolutions, pooling, one convolution, pooling, one convolution, pooling
    ```

    ## Use instead
    ```python
    # one convolution, pooling, two convolutions, pooling, three convolutions, pooling
    ```

    ## Known problems
    This is a convention, not a requirement: many published networks do not follow it.

    ## Fix safety
    No fix is offered: the right layout depends on the task.

    ## References
    NeuraLint (Nikanjam et al., 2021), asymmetric blocks; Simonyan and Zisserman, VGG (2015), for the usual order.
    """

    name = "uneven-blocks"
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
for count in (3, 1, 1):
    for _ in range(count):
        model.add(layers.Conv2D(16, 3, activation="relu"))
    model.add(layers.MaxPooling2D())
""",
    )
    clean = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(128, 128, 3))])
for count in (1, 2, 2):
    for _ in range(count):
        model.add(layers.Conv2D(16, 3, activation="relu"))
    model.add(layers.MaxPooling2D())
""",
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(128, 128, 3))])
for count in (2, 1):
    for _ in range(count):
        model.add(layers.Conv2D(16, 3, activation="relu"))
    model.add(layers.MaxPooling2D())
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for steps in straight_networks(program):
            counts, places = _blocks(steps)
            for index in range(1, len(counts)):
                if len(counts) >= MANY and counts[index] < counts[index - 1]:
                    message = f"the blocks have {', '.join(map(str, counts))} convolutions: a later block is shallower"
                    yield self.finding(program, places[index].node, message)
                    break


def _blocks(steps: list[NetworkStep]) -> tuple[list[int], list[NetworkStep]]:
    """How many convolutions are before each pooling layer, and the pooling layers."""
    counts, places, count = [], [], 0
    for step in steps:
        if step.role == "conv":
            count += 1
        elif step.role == "pool" and count:
            counts.append(count)
            places.append(step)
            count = 0
    return counts, places
