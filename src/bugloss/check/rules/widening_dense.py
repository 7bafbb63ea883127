"""widening-dense."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import straight_networks
from bugloss.source.program import Program


class WideningDense(Rule):
    """Dense layers get wider towards the output of a classifier.

    ## What it finds
    A dense layer between two others that has more units than the dense layer before it, in a network that narrows
    to its output.

    ## Why it hurts
    A head that widens and then narrows has most of its weights in layers that overfit easily.

    ## Example
    ```python
    Dense(32, activation="relu"), Dense(256, activation="relu"), Dense(10)
    ```

    ## Use instead
    ```python
    Dense(256, activation="relu"), Dense(32, activation="relu"), Dense(10)
    ```

    ## Known problems
    This is a convention, not a requirement: many published networks do not follow it. Only layers that at least
    double the width are reported. Decoders and generators, whose output is wide, are not reported.

    ## Fix safety
    No fix is offered: the right layout depends on the task.

    ## References
    NeuraLint (Nikanjam et al., 2021), increasing dense widths.
    """

    name = "widening-dense"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    groups = ("neuralint", "style")
    words = ("Dense", "Linear")
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(32, input_dim=64, activation="relu"), Dense(256, activation="relu")])
model.add(Dense(10, activation="softmax"))
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(256, input_dim=64, activation="relu"), Dense(32, activation="relu")])
model.add(Dense(10, activation="softmax"))
decoder = Sequential([Dense(32, input_dim=4, activation="relu"), Dense(128, activation="relu")])
decoder.add(Dense(784, activation="sigmoid"))
""",
        """\
from torch import nn

def build(width):
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, width), nn.ReLU(), nn.Linear(width, 1))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for steps in straight_networks(program):
            dense = [step for step in steps if step.role == "dense"]
            widths = [step.units for step in dense]
            last = widths[-1] if widths else None
            for step, before, width in zip(dense[1:-1], widths, widths[1:-1], strict=False):
                if before is None or width is None or last is None:
                    continue
                if width >= 2 * before and last < before:
                    message = f"dense layers widen from {before} to {width} before they narrow to {last}"
                    yield self.finding(program, step.node, message)
                    break
