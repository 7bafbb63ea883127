"""sorted-validation-split."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Constant, Tensor, Value, number_of, truth_of


class SortedValidationSplit(Rule):
    """Samples that are sorted by class are split without being shuffled.

    ## What it finds
    ``fit(validation_split=…)`` or ``train_test_split(shuffle=False)`` on labels that are known to be sorted by class:
    from ``np.repeat(np.arange(k), n)``, or from a data set that is stored that way (iris, wine).

    ## Why it hurts
    Keras takes the validation data from the end before it shuffles. The last class is then missing from the training
    data and the only one in the validation data: training accuracy looks perfect and validation accuracy stays at
    zero.

    ## Example
    ```python
    labels = np.repeat(np.arange(5), 100)
    model.fit(samples, labels, validation_split=0.2)
    ```

    ## Use instead
    ```python
    order = np.random.permutation(len(labels))
    model.fit(samples[order], labels[order], validation_split=0.2)
    ```

    ## Known problems
    Files that shuffle in place anywhere are not reported.

    ## Fix safety
    No fix is offered.

    ## References
    Keras documentation of ``Model.fit``, argument ``validation_split``.
    """

    name = "sorted-validation-split"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("split",)
    faulty = (
        """\
import keras
import numpy as np

def train(model, samples):
    labels = np.repeat(np.arange(5), 100)
    model = keras.Sequential([keras.layers.Dense(5, activation="softmax")])
    model.compile(loss="sparse_categorical_crossentropy")
    model.fit(samples, labels, validation_split=0.2)
""",
        """\
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

x, y = load_iris(return_X_y=True)
parts = train_test_split(x, y, shuffle=False)
""",
    )
    clean = (
        """\
import keras
import numpy as np

def train(samples):
    labels = np.repeat(np.arange(5), 100)
    order = np.random.permutation(len(labels))
    model = keras.Sequential([keras.layers.Dense(5, activation="softmax")])
    model.compile(loss="sparse_categorical_crossentropy")
    model.fit(samples[order], labels[order], validation_split=0.2)
""",
        """\
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

x, y = load_iris(return_X_y=True)
parts = train_test_split(x, y)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("shuffle(",)):
            return
        for operation in program.calls("Model.fit"):
            share = number_of(operation.keywords.get("validation_split", Constant(None)))
            if share and _by_class(operation.argument(1, "y")):
                message = f"the labels are sorted by class: validation_split={share:g} holds out only the last classes"
                yield self.finding(program, operation.node, message)
        for operation in program.calls("sklearn.model_selection.train_test_split"):
            kept = truth_of(operation.keywords.get("shuffle", Constant(True))) is False
            if kept and any(_by_class(value) for value in operation.positional):
                yield self.finding(
                    program,
                    operation.node,
                    "the samples are sorted by class: without shuffling, training misses the last class",
                )


def _by_class(value: Value) -> bool:
    return isinstance(value, Tensor) and "sorted-classes" in value.facts
