"""scaled-twice."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import remove_element, replace_node
from bugloss.source.lookback import ancestry
from bugloss.source.program import Program
from bugloss.source.values.values import Layer, Model, Tensor, Value, number_of

_FULL = (255, 256)


class ScaledTwice(Rule):
    """Images are divided by 255 twice.

    ## What it finds
    A division by 255 of values that were divided by 255 before, that ``ToTensor`` has scaled, or that are then passed
    to a network whose first layer is ``Rescaling(1 / 255)``.

    ## Why it hurts
    The values end up below 0.004, so all images look black to the network. It learns slowly or not at all.

    ## Example
    ```python
    x = x / 255
    model = keras.Sequential([layers.Rescaling(1 / 255), layers.Flatten(), layers.Dense(10)])
    model.fit(x, y)
    ```

    ## Use instead
    Scale in one place, either in the data or in the network.

    ## Known problems
    Only scaling that can be derived from the source code is known.

    ## Fix safety
    No fix is offered: either of the two can be removed.

    ## References
    Keras documentation of ``Rescaling``; torchvision documentation of ``ToTensor``.
    """

    name = "scaled-twice"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("255", "256")
    faulty = (
        """\
import keras

(x, y), _ = keras.datasets.mnist.load_data()
x = x / 255
x = x.reshape(-1, 28, 28, 1) / 255.0
""",
        """\
import keras
from keras import layers

(x, y), _ = keras.datasets.mnist.load_data()
x = x / 255
model = keras.Sequential([layers.Rescaling(1 / 255), layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy")
model.fit(x, y)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import keras

(x, y), _ = keras.datasets.mnist.load_data()
x = x / 255
x = x.reshape(-1, 28, 28, 1)
""",
        1: """\
import keras
from keras import layers

(x, y), _ = keras.datasets.mnist.load_data()
x = x / 255
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy")
model.fit(x, y)
""",
    }
    clean = (
        """\
import keras
from keras import layers

(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
x, x_test = x / 255, x_test / 255
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy")
model.fit(x, y)
""",
        """\
import numpy as np

def shades(x):
    return x / 255 + np.clip(x, 0, 1) / 255
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("operator.div"):
            value, divisor = operation.positional
            if number_of(divisor) in _FULL and _scaled(value):
                message = "these values are already between 0 and 1: they were divided by 255 before"
                yield self.finding(program, operation.node, message, fix=suggested(_undivided(program, operation.node)))
        for operation in program.calls("Model.fit"):
            model, value = operation.receiver, operation.argument(0, "x")
            if isinstance(model, Model) and _scaled(value) and any(_rescales(layer) for layer in model.layers[:2]):
                message = "the data are divided by 255, and the network's Rescaling does it again"
                layer = next(one for one in model.layers[:2] if _rescales(one))
                yield self.finding(program, operation.node, message, fix=suggested(_without_layer(program, layer)))


def _undivided(program: Program, node: ast.AST) -> Edit | None:
    return replace_node(program, node, program.source.segment(node.left)) if isinstance(node, ast.BinOp) else None


def _without_layer(program: Program, layer: Layer) -> Edit | None:
    """The list of layers without one of them."""
    parent = program.parents.get(layer.node)
    is_listed = isinstance(parent, ast.List | ast.Tuple) and len(parent.elts) > 1
    return remove_element(program, [*parent.elts], layer.node) if is_listed and isinstance(parent, ast.List) else None


def _scaled(value: Value) -> bool:
    """Whether the values were brought from 0..255 to 0..1 by a division."""
    if not isinstance(value, Tensor) or not (value.interval.low >= 0 and value.interval.high <= 1.001):
        return False
    for part in ancestry(value):
        if part.made_by == "operator.div" and len(part.inputs) == 2 and number_of(part.inputs[1]) in _FULL:
            return True
        if any(fact.startswith("dataset:") for fact in part.facts) and part.interval.high == 1:
            return True
    return False


def _rescales(layer: Layer) -> bool:
    factor = layer.number("scale")
    return layer.name == "Rescaling" and factor is not None and 0 < factor < 0.01
