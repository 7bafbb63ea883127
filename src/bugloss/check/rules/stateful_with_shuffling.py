"""stateful-with-shuffling."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import add_argument
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, spreads, walk


class StatefulWithShuffling(Rule):
    """A stateful recurrent network gets its sequences in random order.

    ## What it finds
    A model with a recurrent layer of ``stateful=True`` whose ``fit`` does not pass ``shuffle=False``.

    ## Why it hurts
    A stateful layer goes on from the state that the previous batch left. ``fit`` shuffles by default, so the state
    belongs to another part of the sequence.

    ## Example
    ```python
    model.add(LSTM(32, stateful=True, batch_input_shape=(16, 10, 1)))
    model.fit(x, y, batch_size=16)
    ```

    ## Use instead
    ```python
    model.add(LSTM(32, stateful=True, batch_input_shape=(16, 10, 1)))
    model.fit(x, y, batch_size=16, shuffle=False)
    ```

    ## Known problems
    ``fit`` on a ``tf.data.Dataset`` or a generator never shuffles; only calls with two arrays are reported.

    ## Fix safety
    Suggested: ``shuffle=False`` is passed.

    ## References
    Keras documentation of ``keras.layers.LSTM`` (``stateful``) and ``Model.fit`` (``shuffle``).
    """

    name = "stateful-with-shuffling"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("stateful",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import LSTM, Dense

model = Sequential()
model.add(LSTM(32, stateful=True, batch_input_shape=(16, 10, 1)))
model.add(Dense(1))
model.compile("adam", "mse")
for epoch in range(10):
    model.fit(x, y, epochs=1, batch_size=16)
    model.reset_states()
""",
    )
    clean = (
        """\
import numpy as np
from keras import Sequential
from keras.layers import LSTM, Dense

tracker = LSTM(8, stateful=True)
print(tracker(np.zeros((4, 10, 1))))
model = Sequential([LSTM(32), Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=1)
""",
        """\
from keras.models import Sequential
from keras.layers import LSTM, Dense

model = Sequential()
model.add(LSTM(32, stateful=True, batch_input_shape=(16, 10, 1)))
model.add(Dense(1))
model.compile("adam", "mse")
model.fit(x, y, epochs=1, batch_size=16, shuffle=False)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        layers = [
            call
            for call in program.called("LSTM", "GRU", "SimpleRNN", "RNN", "ConvLSTM2D", "CuDNNLSTM", "CuDNNGRU")
            if is_constant(keyword_of(call, "stateful"), True)
        ]
        for call in program.called("fit") if layers else ():
            if not _may_contain(program, call, layers):
                continue
            targets = len(call.args) > 1 or keyword_of(call, "y") is not None
            if targets and keyword_of(call, "shuffle") is None and not spreads(call):
                message = "fit shuffles the batches, but the stateful layer carries its state from batch to batch"
                yield self.finding(program, call, message, fix=suggested(add_argument(program, call, "shuffle=False")))


def _may_contain(program: Program, fit: ast.Call, layers: list[ast.Call]) -> bool:
    """Whether the model of this ``fit`` has one of the layers; a model that could not be followed may have it."""
    model = next((model for model in program.models if any(fit is one.node for one in model.fitted)), None)
    if model is None or not model.complete or not model.layers:
        return True
    parts = {part for layer in model.layers for part in walk(layer.node)}
    return any(layer in parts for layer in layers)
