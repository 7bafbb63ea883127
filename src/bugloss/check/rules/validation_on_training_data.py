"""validation-on-training-data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of
from bugloss.source.training.keras_fits import fits


class ValidationOnTrainingData(Rule):
    """The network is validated on the data it is trained on.

    ## What it finds
    A ``fit`` whose ``validation_data`` are the arrays or the generator that it trains on.

    ## Why it hurts
    The validation metrics do not measure the performance on new data: overfitting is not visible, and early stopping
    and checkpoints follow the training loss.

    ## Example
    ```python
    model.fit(x_train, y_train, validation_data=(x_train, y_train))
    ```

    ## Use instead
    ```python
    model.fit(x_train, y_train, validation_data=(x_val, y_val))
    ```

    ## Known problems
    Toy problems without other data, such as XOR, do this on purpose.

    ## Fix safety
    No fix is offered: only the author knows where other data are.

    ## References
    The row split-overlap of the catalogue.
    """

    name = "validation-on-training-data"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("validation_data",)
    faulty = (
        """\
import keras
from keras import layers

def train(x_train, y_train, x_test, y_test):
    model = keras.Sequential([layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x_train, y_train, validation_data=(x_train, y_train))
""",
    )
    clean = (
        """\
import keras
from keras import layers

def train(x_train, y_train, x_test, y_test):
    model = keras.Sequential([layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x_train, y_train, validation_data=(x_test, y_test))
    model.fit(x_train, x_train, validation_data=(x_test, x_test))
""",
        """\
import keras
from keras import layers

def train(load, model):
    model.fit(load(), validation_data=load(), callbacks=[])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for fit in fits(program):
            node = fit.operation.node
            given = keyword_of(node, "validation_data") if isinstance(node, ast.Call) else None
            if given is None or not isinstance(node, ast.Call):
                continue
            trained = _argument(node, 0, "x")
            held = given.elts[0] if isinstance(given, (ast.Tuple, ast.List)) and given.elts else given
            if isinstance(trained, ast.Name) and isinstance(held, ast.Name) and trained.id == held.id:
                yield self.finding(program, given, f"validation_data is {trained.id}, the data that fit trains on")


def _argument(node: ast.Call, position: int, name: str) -> ast.expr | None:
    return node.args[position] if len(node.args) > position else keyword_of(node, name)
