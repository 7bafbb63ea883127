"""batch-larger-than-data."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.training.keras_fits import fits
from bugloss.source.values.values import Tensor, integer_of


class BatchLargerThanData(Rule):
    """The batch is larger than the data set.

    ## What it finds
    A ``fit`` whose ``batch_size`` exceeds the known number of samples.

    ## Why it hurts
    Every epoch is a single step over all data: the batch size in the code has no effect, there are few updates, and
    the gradient noise that helps training is gone.

    ## Example
    ```python
    x = np.zeros((100, 4))
    model.fit(x, y, batch_size=256)
    ```

    ## Use instead
    ```python
    model.fit(x, y, batch_size=32)
    ```

    ## Known problems
    Full-batch training may be intended.

    ## Fix safety
    No fix is offered: the batch size is the author's choice.

    ## References
    The row batch-size of the catalogue.
    """

    name = "batch-larger-than-data"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.ITERATIONS
    groups = ("style",)
    words = ("batch_size",)
    faulty = (
        """\
import keras
import numpy as np
from keras import layers

x, y = np.zeros((100, 4)), np.zeros((100, 1))
model = keras.Sequential([layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=256)
""",
    )
    clean = (
        """\
import keras
import numpy as np
from keras import layers

x, y = np.zeros((100, 4)), np.zeros((100, 1))
model = keras.Sequential([layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=100)
model.fit(x, y)
""",
        """\
import keras
from keras import layers

def train(x, y):
    model = keras.Sequential([layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y, batch_size=256)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for fit in fits(program):
            data, size = fit.argument("x"), integer_of(fit.argument("batch_size"))
            count = data.shape[0] if isinstance(data, Tensor) and data.shape else None
            if size is not None and isinstance(count, int) and size > count:
                yield self.finding(
                    program, fit.operation.node, f"batch_size={size} is larger than the data: there are {count} samples"
                )
