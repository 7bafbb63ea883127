"""learning-rate-out-of-band."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.optimizer import rates_of
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Optimizer, number_of

LOWEST = 1e-7
_OVERSHOOTS, _UNUSUAL = 50, 10  # times the highest rate that is not suspicious


class LearningRateOutOfBand(Rule):
    """The learning rate is far outside the usual range of the optimizer.

    ## What it finds
    A literal learning rate that is negative, or far outside the usual range: above 0.1 or below 1e-7 for Adam and
    similar optimizers, above 1 for SGD (with momentum taken into account, above 3).

    ## Why it hurts
    If the learning rate is too high, the loss jumps or diverges; if it is too low, training makes no visible
    progress.

    ## Example
    ```python
    optimizer = torch.optim.Adam(model.parameters(), lr=10)
    ```

    ## Use instead
    ```python
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    ```

    ## Known problems
    The right rate depends on the task: only negative rates, rates of 10 and above for Adam and of 100 and above for
    SGD are more than advice.

    ## Fix safety
    No fix is offered: the rate has to be tuned.

    ## References
    Smith, Cyclical learning rates for training neural networks (2017); the row lr-range of the catalogue.
    """

    name = "learning-rate-out-of-band"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("style",)
    words = ("optim",)
    faulty = (
        """\
import torch

def make(model):
    return torch.optim.Adam(model.parameters(), lr=10)
""",
        """\
import keras

optimizer = keras.optimizers.SGD(learning_rate=0.9, momentum=0.9)
""",
    )
    clean = (
        """\
import torch

def make(model, rate):
    return [
        torch.optim.Adam(model.parameters(), lr=3e-4),
        torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9),
        torch.optim.LBFGS(model.parameters(), lr=1),
        torch.optim.Adadelta(model.parameters(), lr=1.0),
        torch.optim.AdamW(model.parameters(), lr=rate),
    ]
""",
        """\
import keras

optimizer = keras.optimizers.Adam()
slow = keras.optimizers.SGD(0.01)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for optimizer in program.optimizers:
            rate = _number(optimizer, "learning_rate", "lr")
            if rate is None or not rates_of(optimizer.name).comparable:
                continue
            severity = _judge(optimizer, rate)
            if severity is not None:
                word = "negative" if rate < 0 else "very small" if rate <= LOWEST else "very large"
                message = f"a learning rate of {rate:g} is {word} for {optimizer.name}"
                yield self.finding(program, optimizer.node, message, severity=severity)


def _number(optimizer: Optimizer, *keys: str) -> float | None:
    return next((number_of(optimizer.arguments[key]) for key in keys if key in optimizer.arguments), None)


def _judge(optimizer: Optimizer, rate: float) -> Severity | None:
    """How far out a rate is; None when it is in the band. Momentum multiplies the steps of SGD."""
    if rate < 0:
        return Severity.ERROR
    known = rates_of(optimizer.name)
    momentum = _number(optimizer, "momentum") or 0.0
    effective = rate / (1 - momentum) if known.plain and 0 <= momentum < 1 else rate
    # Beyond any published recipe: updates overshoot at once, or weights stay where they were.
    if effective >= _OVERSHOOTS * known.highest or 0 < rate <= LOWEST:
        return Severity.WARNING
    return Severity.ADVICE if effective > _UNUSUAL * known.highest else None
