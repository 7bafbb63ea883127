"""window-larger-than-input."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class WindowLargerThanInput(Rule):
    """A kernel or pooling window is larger than its input.

    ## What it finds
    A convolution, pooling or cropping layer whose window is larger than its input feature map, after earlier layers
    have reduced the declared input.

    ## Why it hurts
    The output would have no pixels: building or calling the network stops with an error about a negative or zero
    dimension.

    ## Example
    ```python
    model = keras.Sequential([
        keras.Input(shape=(8, 8, 1)),
        layers.Conv2D(16, 5),
        layers.Conv2D(16, 5),
    ])
    ```

    ## Use instead
    ```python
    model = keras.Sequential([
        keras.Input(shape=(8, 8, 1)),
        layers.Conv2D(16, 3, padding="same"),
        layers.Conv2D(16, 3, padding="same"),
    ])
    ```

    ## Known problems
    Only feature maps of known size are checked.

    ## Fix safety
    No fix is offered: a smaller window, padding or fewer pooling layers are all possible.

    ## References
    NeuraLint (Nikanjam et al., 2021) checks the window of spatial filters; PyTea (Jhoo et al., 2022).
    """

    name = "window-larger-than-input"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.LAYER_DIMENSION
    groups = ("shapeflow", "neuralint")
    confidence = 0.95
    faulty = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(8, 8, 1)), layers.Conv2D(16, 5), layers.Conv2D(16, 5)])
""",
        """\
import torch
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.MaxPool2d(4), nn.Conv2d(8, 8, 7))
model(torch.randn(1, 3, 24, 24))
""",
    )
    clean = (
        """\
import keras
from keras import layers

model = keras.Sequential(
    [keras.Input(shape=(8, 8, 1)), layers.Conv2D(16, 5, padding="same"), layers.MaxPooling2D(), layers.Conv2D(16, 4)]
)
""",
        """\
import keras
from keras import layers

def build(size):
    return keras.Sequential([keras.Input(shape=(size, size, 1)), layers.Conv2D(16, 5), layers.Conv2D(16, 5)])
""",
        """\
import torch
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.MaxPool2d(4), nn.Conv2d(8, 8, 7, padding=3))
model(torch.randn(1, 3, 24, 24))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for conflict in program.conflicts("window"):
            yield self.finding(program, conflict.node, conflict.message)
