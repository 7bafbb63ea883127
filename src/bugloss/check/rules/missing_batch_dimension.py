"""missing-batch-dimension."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.shapes import show
from bugloss.source.values.values import Model, Tensor


class MissingBatchDimension(Rule):
    """One sample is passed to a Keras model without a batch axis.

    ## What it finds
    ``predict`` on one sample that is selected with an integer index (``x_test[0]``) from an array that the model was
    trained or evaluated on.

    ## Why it hurts
    The network expects a batch. It raises an error about the number of dimensions or, worse, interprets the first
    axis of the sample as the batch.

    ## Example
    ```python
    model.fit(x, y)
    model.predict(x[0])
    ```

    ## Use instead
    ```python
    model.predict(x[:1])
    ```

    ## Known problems
    Samples that reach ``predict`` through other variables are not followed unless their shape is known.

    ## Fix safety
    No fix is offered.

    ## References
    Keras documentation of ``Model.predict``.
    """

    name = "missing-batch-dimension"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("shapeflow",)
    words = ("predict",)
    faulty = (
        """\
import keras

(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
model.fit(x / 255, y)
model.evaluate(x_test, y_test)
print(model.predict(x_test[0]))
""",
        """\
import keras
import numpy as np

x, y = np.random.rand(100, 4), np.random.rand(100)
model = keras.Sequential([keras.Input(shape=(4,)), keras.layers.Dense(1)])
model.compile(loss="mse")
model.fit(x, y)
model.predict(np.array([1.0, 2.0, 3.0, 4.0]))
""",
    )
    clean = (
        """\
import keras

(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
model.fit(x / 255, y)
model.evaluate(x_test, y_test)
print(model.predict(x_test[:1]), model.predict(x_test[0][None]))
""",
        """\
import keras

def run(model, inputs, batches):
    model.fit(inputs)
    model.predict(inputs[0])
    return model.predict(batches[0])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("Model.predict", "Model.predict_on_batch"):
            model, value = operation.receiver, operation.argument(0, "x")
            if not isinstance(model, Model) or model.framework != "keras" or not isinstance(value, Tensor):
                continue
            expected = _expected_rank(program, model)
            if value.rank is not None and expected is not None and value.rank == expected - 1:
                message = f"predict takes a batch, but this is one sample of shape {show(value.shape)}"
                yield self.finding(program, operation.node, message)


def _expected_rank(program: Program, model: Model) -> int | None:
    """The number of axes with the batch: declared, or that of the data the network was trained on."""
    if model.input_shape is not None:
        return len(model.input_shape)
    ranks = set()
    for operation in program.calls("Model.fit", "Model.evaluate"):
        value = operation.argument(0, "x")
        if operation.receiver is model and isinstance(operation.node, ast.Call) and isinstance(value, Tensor):
            ranks.add(value.rank)
    return ranks.pop() if len(ranks) == 1 else None
