"""back-to-back-pooling."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import NetworkStep, applications
from bugloss.source.program import Program
from bugloss.source.values.values import integer_of


class BackToBackPooling(Rule):
    """Two pooling layers follow each other without a convolution.

    ## What it finds
    A pooling layer whose input comes straight from another pooling layer.

    ## Why it hurts
    No weights are learned between the two: one pooling layer with a larger window does the same, and two in a row
    discard most of the feature map.

    ## Example
    ```python
    MaxPooling2D(2), MaxPooling2D(2)
    ```

    ## Use instead
    ```python
    MaxPooling2D(4)
    ```

    ## Known problems
    Pyramid pooling, which pools one feature map several times, is not reported.

    ## Fix safety
    No fix is offered: a layer between them may be missing.

    ## References
    NeuraLint (Nikanjam et al., 2021), ineffective pooling.
    """

    name = "back-to-back-pooling"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    groups = ("neuralint", "style")
    words = ("ool",)
    faulty = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(32, 32, 3)), layers.Conv2D(8, 3)])
model.add(layers.MaxPooling2D())
model.add(layers.MaxPooling2D())
""",
    )
    clean = (
        """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(32, 32, 3)), layers.Conv2D(8, 3)])
model.add(layers.MaxPooling2D())
model.add(layers.GlobalAveragePooling2D())
""",
        """\
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3), nn.MaxPool2d(2))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for _, step, before in applications(program, "pool"):
            first = next(
                (earlier for earlier in before if earlier.role not in {"activation", "dropout", "same", "norm"}), None
            )
            # One pooling layer used twice in a row is how pyramid pooling saves computation.
            if first is not None and first.role == "pool" and first.layer is not step.layer and _strides(step):
                yield self.finding(
                    program, step.node, f"{step.name} follows {first.name} with no convolution between them"
                )


def _strides(step: NetworkStep) -> bool:
    """Whether the pooling shrinks the map; one with stride one only smooths it."""
    given = step.layer.arguments.get("strides", step.layer.arguments.get("stride")) if step.layer is not None else None
    return given is None or integer_of(given) != 1
