"""missing-compile."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Model


class MissingCompile(Rule):
    """A Keras model is fitted without being compiled.

    ## What it finds
    A Sequential or functional model that is created in the file and whose ``fit`` is called without ``compile``
    before it.

    ## Why it hurts
    ``fit`` raises an error: without ``compile`` there is no loss and no optimizer.

    ## Example
    ```python
    model = keras.Sequential([layers.Dense(1)])
    model.fit(x, y)
    ```

    ## Use instead
    ```python
    model = keras.Sequential([layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(x, y)
    ```

    ## Known problems
    A model that is passed to a function of another file may be compiled there and is not reported.

    ## Fix safety
    No fix is offered: the author has to choose the loss and the optimizer.

    ## References
    Documentation of ``keras.Model.fit``; NeuraLint (Nikanjam et al., 2021) asks for a loss and an optimizer.
    """

    name = "missing-compile"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("neuralint",)
    words = (".fit(",)
    faulty = (
        """\
import keras
from keras import layers

def train(x, y):
    model = keras.Sequential([keras.Input(shape=(4,)), layers.Dense(1)])
    model.fit(x, y, epochs=3)
""",
    )
    clean = (
        """\
import keras
from keras import layers

def train(x, y):
    model = keras.Sequential([keras.Input(shape=(4,)), layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(x, y, epochs=3)
""",
        """\
import keras
from keras import layers
from settings import prepare

def train(x, y):
    model = keras.Sequential([keras.Input(shape=(4,)), layers.Dense(1)])
    prepare(model)
    model.fit(x, y, epochs=3)
""",
        """\
import keras

def train(path, x, y):
    model = keras.models.load_model(path)
    model.fit(x, y, epochs=3)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not program.followed.complete or any(True for _ in program.calls("?.compile")):
            return
        for model in program.models:
            made_here = model.framework == "keras" and model.style in {"sequential", "functional"}
            if made_here and model.fitted and not model.compiled and not _passed_on(program, model):
                yield self.finding(
                    program,
                    model.fitted[0].node,
                    f"{model.name or 'the model'} is not compiled: call compile() before fit()",
                )


def _passed_on(program: Program, model: Model) -> bool:
    """Whether something that is not followed got hold of the network."""
    for operation in program.operations:
        if operation.name.startswith(("Model.", "call ", "setattr")) and operation.receiver is model:
            continue
        if model in (*operation.positional, *operation.keywords.values()) and not operation.name.startswith("call "):
            return True
    return False
