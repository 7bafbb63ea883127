"""normalization-over-all-columns."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import remove_argument
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, written


class NormalizationOverAllColumns(Rule):
    """One mean and one variance are used for columns of different scales.

    ## What it finds
    ``Normalization(axis=None)`` in a program that adapts it to a table.

    ## Why it hurts
    The column with the largest numbers sets mean and variance; the others become almost constant and can hardly be
    learned from.

    ## Example
    ```python
    scale = keras.layers.Normalization(axis=None)
    scale.adapt(table)
    ```

    ## Use instead
    ```python
    scale = keras.layers.Normalization()
    scale.adapt(table)
    ```

    ## Known problems
    Images and other data of one unit are normalised so on purpose; a program that has convolutions is not reported.

    ## Fix safety
    Suggested: the argument is removed.

    ## References
    Keras documentation of ``Normalization``.
    """

    name = "normalization-over-all-columns"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("Normalization(",)
    faulty = (
        """\
import keras

scale = keras.layers.Normalization(axis=None)
scale.adapt(x_train)
model = keras.Sequential([scale, keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
""",
    )
    clean = (
        """\
import keras

scale = keras.layers.Normalization(axis=-1)
scale.adapt(x_train)
single = keras.layers.Normalization(input_shape=[1], axis=None)
""",
        """\
import keras

scale = keras.layers.Normalization(axis=None)
model = keras.Sequential([scale, keras.layers.Conv2D(8, 3), keras.layers.Dense(1)])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("Conv1D", "Conv2D", "LSTM", "GRU")):
            return
        for call in program.called("Normalization"):
            shape = keyword_of(call, "input_shape") or keyword_of(call, "input_dim")
            one_column = shape is not None and written(shape) in {"[1]", "(1,)", "1"}
            for item in call.keywords:
                if item.arg == "axis" and is_constant(item.value, None) and not one_column:
                    message = "axis=None takes one mean and variance for all columns: leave it out"
                    yield self.finding(program, call, message, fix=suggested(remove_argument(program, call, item)))
