"""argmax-of-one-column."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.shapes import positive_axis, show
from bugloss.source.values.values import Tensor, number_of

_ARGMAX = (
    "numpy.argmax",
    "torch.argmax",
    "tensorflow.argmax",
    "Tensor.argmax",
    "keras.ops.argmax",
    "keras.backend.argmax",
)


class ArgmaxOfOneColumn(Rule):
    """``argmax`` is taken over a single output.

    ## What it finds
    ``argmax`` along an axis that is known to have length one: the output of a network with a single unit.

    ## Why it hurts
    The largest of one number is always the first: every sample is predicted as class 0, and the accuracy is the share
    of that class.

    ## Example
    ```python
    model.add(Dense(1, activation="sigmoid"))
    classes = np.argmax(model.predict(x), axis=1)
    ```

    ## Use instead
    ```python
    classes = (model.predict(x) > 0.5).astype(int)
    ```

    ## Known problems
    Only shapes that can be derived from the source code are known.

    ## Fix safety
    No fix is offered: the threshold depends on the activation.

    ## References
    Keras documentation of ``Model.predict``; NumPy documentation of ``numpy.argmax``.
    """

    name = "argmax-of-one-column"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("shapeflow", "metric")
    words = ("argmax",)
    faulty = (
        """\
import keras
import numpy as np

def run(x, y):
    model = keras.Sequential([keras.Input(shape=(4,)), keras.layers.Dense(1, activation="sigmoid")])
    model.compile(loss="binary_crossentropy")
    model.fit(x, y)
    return np.argmax(model.predict(x), axis=1)
""",
        """\
import torch

model = torch.nn.Linear(4, 1)
classes = model(torch.randn(8, 4)).argmax(dim=1)
""",
    )
    clean = (
        """\
import torch

model = torch.nn.Linear(4, 3)
classes = model(torch.randn(8, 4)).argmax(dim=1)
best = torch.nn.Linear(4, 1)(torch.randn(8, 4)).argmax(dim=0)
""",
        """\
import numpy as np
import keras

def run(model, x):
    return np.argmax(model.predict(x), axis=1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls(*_ARGMAX):
            method = isinstance(operation.receiver, Tensor)
            value = operation.receiver if method else operation.argument(0, "input")
            given = (
                operation.keywords.get("axis")
                or operation.keywords.get("dim")
                or operation.argument(0 if method else 1)
            )
            axis = number_of(given)
            if (
                not isinstance(value, Tensor)
                or value.shape is None
                or len(value.shape) < 2
                or not isinstance(axis, int)
            ):
                continue
            position = positive_axis(axis, len(value.shape))
            if position is not None and value.shape[position] == 1 and value.shape[0] != 1:
                message = f"axis {axis} of {show(value.shape)} has one element, so argmax is always 0"
                yield self.finding(program, operation.node, message)
