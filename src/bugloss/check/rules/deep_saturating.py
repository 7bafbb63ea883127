"""deep-saturating."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.activation import saturates
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import NetworkStep, applications
from bugloss.source.program import Program

DEEP = 4


class DeepSaturating(Rule):
    """Many saturating activations follow one another without normalisation or skip connections.

    ## What it finds
    Four or more consecutive dense or convolutional layers with sigmoid or tanh activations and no normalisation
    between them.

    ## Why it hurts
    The derivative of a sigmoid is at most 0.25, that of tanh at most 1 and usually far less. The gradient is
    multiplied by it in every layer, so it vanishes and the first layers hardly learn.

    ## Example
    ```python
    for _ in range(5):
        model.add(Dense(64, activation="sigmoid"))
    ```

    ## Use instead
    ```python
    for _ in range(5):
        model.add(Dense(64, activation="relu"))
    ```

    ## Known problems
    Networks that solve differential equations use deep tanh on purpose.

    ## Fix safety
    No fix is offered.

    ## References
    Glorot and Bengio, Understanding the difficulty of training deep feedforward neural networks (2010).
    """

    name = "deep-saturating"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.ACTIVATION
    groups = ("style",)
    words = ("sigmoid", "tanh", "Sigmoid", "Tanh", "softsign")
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential()
model.add(Dense(64, input_dim=20, activation="sigmoid"))
for _ in range(4):
    model.add(Dense(64, activation="sigmoid"))
model.add(Dense(1))
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential()
model.add(Dense(64, input_dim=20, activation="relu"))
for _ in range(4):
    model.add(Dense(64, activation="relu"))
model.add(Dense(1, activation="sigmoid"))
""",
        """\
from keras.models import Sequential
from keras.layers import Dense, BatchNormalization

model = Sequential()
for _ in range(5):
    model.add(Dense(64, activation="tanh"))
    model.add(BatchNormalization())
model.add(Dense(1))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        deepest: tuple[int, NetworkStep] | None = None
        for _, step, before in applications(program, "activation"):
            count = _run(chain([step], before))
            if count >= DEEP and (deepest is None or count > deepest[0]):
                deepest = (count, step)
        if deepest is not None:
            message = f"{deepest[0]} saturating activations in a row ({deepest[1].name}) make the gradient vanish"
            yield self.finding(program, deepest[1].node, message)


def _run(steps: Iterable[NetworkStep]) -> int:
    """How many saturating activations are in a row, counted back from the end."""
    count = 0
    for step in steps:
        if step.role == "activation":
            if not saturates(step.name):
                break
            count += 1
        elif step.role not in {"dense", "conv", "dropout", "same", "reshape", "pool"}:
            break
    return count
