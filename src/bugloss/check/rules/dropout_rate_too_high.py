"""dropout-rate-too-high."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node, suggested
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.values.values import Layer, Operation

ADVISED = 0.8
WARNED = 0.9


class DropoutRateTooHigh(Rule):
    """A dropout layer drops almost everything.

    ## What it finds
    A dropout rate of one or more, which no framework can use, and rates of 0.8 and above.

    ## Why it hurts
    With a rate of one every activation is zero and nothing is learnt. High rates are mostly a share to keep that
    was passed as the share to drop: TensorFlow 1 counted the units to keep, Keras and PyTorch count those to drop.

    ## Example
    ```python
    model.add(Dropout(0.9))  # meant to keep 90 %
    ```

    ## Use instead
    ```python
    model.add(Dropout(0.1))
    ```

    ## Known problems
    Rates from 0.8 up to 0.9 are advice only: some sparse inputs bear them.

    ## Fix safety
    Suggested: the share that is kept now is dropped instead.

    ## References
    Srivastava et al., Dropout (2014), use 0.5 for hidden and 0.2 for input units; UMLAUT warns above 0.5.
    """

    name = "dropout-rate-too-high"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.REGULARIZATION
    groups = ("style",)
    words = ("ropout",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense, Dropout

model = Sequential([Dense(64, input_dim=8, activation="relu"), Dropout(0.95), Dense(1)])
""",
        """\
from torch import nn

layer = nn.Dropout(p=1.0)
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Dense, Dropout

model = Sequential([Dense(64, input_dim=8, activation="relu"), Dropout(0.5), Dense(1)])
""",
        """\
from torch import nn

def block(rate, width):
    return nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Dropout(rate), nn.Dropout(0.0))
""",
        """\
import tensorflow as tf

kept = tf.nn.dropout(tf.ones((2, 3)), keep_prob=0.9)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.prefixed("keras.layers."):
            if "Dropout" in operation.name:
                yield from self._judge(program, operation, "rate")
        for operation in program.prefixed("torch.nn.Dropout"):
            yield from self._judge(program, operation, "p")

    def _judge(self, program: Program, operation: Operation, key: str) -> Iterator[Finding]:
        made = operation.result
        rate = made.number(key) if isinstance(made, Layer) else None
        if rate is None or rate < ADVISED:
            return
        if rate >= 1:
            message = f"a dropout rate of {rate:g} leaves nothing"
            yield self.finding(program, operation.node, message, severity=Severity.ERROR)
        else:
            message = (
                f"dropout drops {rate:.0%} of the units; was {1 - rate:.2g} meant, with {rate:g} the share to keep?"
            )
            severity = Severity.WARNING if rate >= WARNED else Severity.ADVICE
            yield self.finding(program, operation.node, message, severity=severity, fix=_kept(program, operation, key))


def _kept(program: Program, operation: Operation, key: str) -> Fix | None:
    """The share to drop where the share to keep was given."""
    given = argument_node(operation.node, 0, key)
    rate = given.value if isinstance(given, ast.Constant) else None
    return (
        suggested(replace_node(program, given, f"{1 - rate:.2g}"))
        if given is not None and isinstance(rate, float)
        else None
    )
