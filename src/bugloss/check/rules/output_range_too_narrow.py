"""output-range-too-narrow."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.head_edits import WrittenNode, remove_activation
from bugloss.source.networks.heads import TrainedHead, trained_heads
from bugloss.source.program import Program
from bugloss.source.semantics.activation_ranges import activation_interval
from bugloss.source.values.values import Interval, Tensor


class OutputRangeTooNarrow(Rule):
    """The targets are outside the range of the output activation.

    ## What it finds
    A network that is trained with a regression loss, whose output activation is bounded (sigmoid, tanh, ReLU), and
    whose targets are known to exceed that range.

    ## Why it hurts
    The network cannot predict those targets. The outputs saturate at the end of the range, where gradients vanish.

    ## Example
    ```python
    (x, y), _ = keras.datasets.boston_housing.load_data()  # prices from 5 to 50
    model.add(Dense(1, activation="sigmoid"))
    model.compile("adam", "mse")
    model.fit(x, y)
    ```

    ## Use instead
    ```python
    model.add(Dense(1))
    ```

    ## Known problems
    Only targets whose range can be derived from the source code are checked.

    ## Fix safety
    No fix is offered: the targets could also be scaled.

    ## References
    DeepDiagnosis (Wardat et al., 2022) and TheDeepChecker look for the same at run time.
    """

    name = "output-range-too-narrow"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.ACTIVATION
    groups = ("heads",)
    faulty = (
        """\
import keras
from keras import layers

(x, y), _ = keras.datasets.boston_housing.load_data()
model = keras.Sequential([layers.Dense(32, activation="relu"), layers.Dense(1, activation="sigmoid")])
model.compile("adam", "mse")
model.fit(x, y)
""",
        """\
import keras
from keras import layers

(x, _), _ = keras.datasets.mnist.load_data()
flat = x.reshape(-1, 784).astype("float32")
model = keras.Sequential([layers.Dense(32, activation="relu"), layers.Dense(784, activation="sigmoid")])
model.compile("adam", loss=keras.losses.MeanSquaredError())
model.fit(flat, flat)
""",
    )
    clean = (
        """\
import keras
from keras import layers

(x, y), _ = keras.datasets.boston_housing.load_data()
model = keras.Sequential([layers.Dense(32, activation="relu"), layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y)
""",
        """\
import keras
from keras import layers

(x, _), _ = keras.datasets.mnist.load_data()
flat = x.reshape(-1, 784).astype("float32") / 255.0
model = keras.Sequential([layers.Dense(32, activation="relu"), layers.Dense(784, activation="sigmoid")])
model.compile("adam", "mse")
model.fit(flat, flat)
""",
        """\
import keras
from keras import layers

def train(x, y):
    model = keras.Sequential([layers.Dense(32, activation="relu"), layers.Dense(1, activation="tanh")])
    model.compile("adam", "mse")
    model.fit(x, y)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for trained in trained_heads(program):
            if trained.loss.regresses:
                message = _message(trained)
                if message is not None:
                    node = trained.head.node
                    edit = remove_activation(WrittenNode(program, node)) if isinstance(node, ast.expr) else None
                    yield self.finding(program, node, message, fix=suggested(edit))


def _message(trained: TrainedHead) -> str | None:
    reach, targets = activation_interval(trained.head.activation), trained.targets
    if reach is None or not isinstance(targets, Tensor):
        return None
    wanted = targets.interval
    # One known end is not enough: an open interval says what is possible, not what occurs.
    if math.isinf(wanted.low) or math.isinf(wanted.high) or wanted.high - wanted.low > 1e6:
        return None
    if wanted.low < reach.low - 0.01 or wanted.high > reach.high + 0.01:
        ends = f"{wanted.low:g} to {wanted.high:g}"
        return f"the targets range from {ends}, but {trained.head.activation} outputs only {_ends(reach)}"
    return None


def _ends(reach: Interval) -> str:
    if math.isinf(reach.low):
        return f"values up to {reach.high:g}"
    return f"values from {reach.low:g} upwards" if math.isinf(reach.high) else f"{reach.low:g} to {reach.high:g}"
