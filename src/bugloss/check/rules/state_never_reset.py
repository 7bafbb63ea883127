"""state-never-reset."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant


class StateNeverReset(Rule):
    """A stateful recurrent network is trained over epochs without resetting its state.

    ## What it finds
    A recurrent layer with ``stateful=True`` in a program that trains it and never calls ``reset_states`` or
    ``reset_state``.

    ## Why it hurts
    The state at the end of one sequence, or one epoch, is the start of the next: what the network sees at the
    beginning depends on samples that have nothing to do with it.

    ## Example
    ```python
    for epoch in range(20):
        model.fit(x, y, batch_size=8, epochs=1, shuffle=False)
    ```

    ## Use instead
    ```python
    for epoch in range(20):
        model.fit(x, y, batch_size=8, epochs=1, shuffle=False)
        model.reset_states()
    ```

    ## Known problems
    One endless sequence needs no reset; it is reported.

    ## Fix safety
    No fix is offered.

    ## References
    Keras documentation of recurrent layers: cross-batch statefulness.
    """

    name = "state-never-reset"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("stateful=True",)
    faulty = (
        """\
import keras

model = keras.Sequential([keras.layers.LSTM(16, stateful=True, batch_input_shape=(8, 10, 1)), keras.layers.Dense(1)])
model.compile("adam", "mse")
for epoch in range(20):
    model.fit(x, y, batch_size=8, epochs=1, shuffle=False)
""",
    )
    clean = (
        """\
import keras

model = keras.Sequential([keras.layers.LSTM(16, stateful=True, batch_input_shape=(8, 10, 1)), keras.layers.Dense(1)])
model.compile("adam", "mse")
for epoch in range(20):
    model.fit(x, y, batch_size=8, epochs=1, shuffle=False)
    model.reset_states()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("reset_state", "reset_recurrent")) or not program.called(
            "fit", "train_on_batch", "fit_generator"
        ):
            return
        for node in program.nodes[ast.keyword]:
            if isinstance(node, ast.keyword) and node.arg == "stateful" and is_constant(node.value, True):
                trained = program.called("fit", "train_on_batch", "fit_generator")[0]
                message = "the state is never reset: call reset_states() after each sequence"
                yield self.finding(program, trained, message)
                return
