"""early-stopping-on-test-data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class EarlyStoppingOnTestData(Rule):
    """Early stopping uses the data of the final evaluation.

    ## What it finds
    ``fit`` with ``validation_data`` and an ``EarlyStopping`` or ``ModelCheckpoint`` callback in the file, followed by
    ``evaluate`` on the same variables.

    ## Why it hurts
    The epoch is chosen because it is best on these data, so the score on them is too high.

    ## Example
    ```python
    model.fit(x, y, validation_data=(x_test, y_test), callbacks=[EarlyStopping()])
    model.evaluate(x_test, y_test)
    ```

    ## Use instead
    ```python
    model.fit(x, y, validation_split=0.1, callbacks=[EarlyStopping()])
    model.evaluate(x_test, y_test)
    ```

    ## Known problems
    For a quick experiment the difference may not matter; the rule is therefore advice.

    ## Fix safety
    No fix is offered.

    ## References
    Yang and others: Data leakage in notebooks, ASE 2022 (repeated evaluation on test data).
    """

    name = "early-stopping-on-test-data"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("validation_data",)
    faulty = (
        """\
import keras

def run(model, x, y, x_test, y_test):
    stop = keras.callbacks.EarlyStopping(patience=3)
    model.fit(x, y, validation_data=(x_test, y_test), callbacks=[stop])
    print(model.evaluate(x_test, y_test))
""",
    )
    clean = (
        """\
import keras

def run(model, x, y, x_val, y_val, x_test, y_test):
    stop = keras.callbacks.EarlyStopping(patience=3)
    model.fit(x, y, validation_data=(x_val, y_val), callbacks=[stop])
    print(model.evaluate(x_test, y_test))
""",
        """\
import keras

def run(model, x, y, x_test, y_test):
    model.fit(x, y, validation_data=(x_test, y_test))
    print(model.evaluate(x_test, y_test))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        evaluated = {
            ast.unparse(call.node.args[0])
            for call in program.methods("evaluate")
            if isinstance(call.node, ast.Call) and call.node.args
        }
        if not program.mentions(("EarlyStopping", "ModelCheckpoint")) or not evaluated:
            return
        for operation in program.methods("fit"):
            if not isinstance(operation.node, ast.Call) or "callbacks" not in operation.keywords:
                continue
            given = next(
                (keyword.value for keyword in operation.node.keywords if keyword.arg == "validation_data"), None
            )
            first = given.elts[0] if isinstance(given, ast.Tuple) and given.elts else given
            if isinstance(first, ast.Name) and first.id in evaluated:
                message = f"{first.id} decides when training stops and is then used for the final score"
                yield self.finding(program, given or operation.node, message)
