"""dropout-before-norm."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import applications
from bugloss.source.program import Program


class DropoutBeforeNorm(Rule):
    """Dropout is applied directly before batch normalisation.

    ## What it finds
    A dropout layer whose output goes straight into a batch normalisation layer.

    ## Why it hurts
    Dropout changes the variance of its output during training, but not during evaluation. The running statistics of
    batch normalisation then do not match the activations at evaluation time.

    ## Example
    ```python
    model.add(Dropout(0.3))
    model.add(BatchNormalization())
    ```

    ## Use instead
    ```python
    model.add(BatchNormalization())
    model.add(Dropout(0.3))
    ```

    ## Known problems
    Layer and group normalisation keep no running statistics and are not reported.

    ## Fix safety
    No fix is offered: the position of the activation has to be decided too.

    ## References
    Li et al., Understanding the disharmony between dropout and batch normalization (2019); NeuraLint (Nikanjam et
    al., 2021).
    """

    name = "dropout-before-norm"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    groups = ("neuralint", "style")
    words = ("ropout",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import BatchNormalization, Dense, Dropout

model = Sequential([Dense(64, input_dim=8, activation="relu"), Dropout(0.3), BatchNormalization(), Dense(1)])
""",
        """\
from torch import nn

model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Dropout(0.3), nn.BatchNorm1d(64), nn.Linear(64, 1))
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import BatchNormalization, Dense, Dropout

model = Sequential([Dense(64, input_dim=8), BatchNormalization(), Dropout(0.3), Dense(1)])
""",
        """\
from torch import nn

model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Dropout(0.3), nn.LayerNorm(64), nn.Linear(64, 1))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for _, step, before in applications(program, "norm"):
            first = next((earlier for earlier in before if earlier.role not in {"same", "activation"}), None)
            if step.is_batch_norm and first is not None and first.role == "dropout":
                yield self.finding(
                    program,
                    step.node,
                    f"{first.name} distorts the statistics of {step.name}: move it after that layer",
                )
