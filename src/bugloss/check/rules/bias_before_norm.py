"""bias-before-norm."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import applications, is_linear
from bugloss.source.program import Program
from bugloss.source.values.values import Constant, Layer, truth_of


class BiasBeforeNorm(Rule):
    """A layer has a bias that batch normalisation cancels.

    ## What it finds
    A dense or convolutional layer with a bias whose output goes straight into batch normalisation.

    ## Why it hurts
    Batch normalisation subtracts the mean of each channel, and with it the bias. The bias costs memory and time and
    gets no useful gradient; the shift of the normalisation layer replaces it.

    ## Example
    ```python
    nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16)
    ```

    ## Use instead
    ```python
    nn.Conv2d(3, 16, 3, bias=False), nn.BatchNorm2d(16)
    ```

    ## Known problems
    A normalisation without its own shift (``affine=False``, ``center=False``) is not reported.

    ## Fix safety
    No fix is offered: existing checkpoints would no longer load.

    ## References
    Ioffe and Szegedy, Batch normalization (2015), section 3.2; NeuraLint (Nikanjam et al., 2021).
    """

    name = "bias-before-norm"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.LAYER_DIMENSION
    groups = ("neuralint", "style")
    words = ("BatchNorm",)
    faulty = (
        """\
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU())
""",
        """\
from keras.models import Sequential
from keras.layers import BatchNormalization, Conv2D

model = Sequential([Conv2D(8, 3, input_shape=(32, 32, 3)), BatchNormalization()])
""",
    )
    clean = (
        """\
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 16, 3, bias=False), nn.BatchNorm2d(16), nn.ReLU())
""",
        """\
from keras.models import Sequential
from keras.layers import BatchNormalization, Conv2D, Dense

model = Sequential([Conv2D(8, 3, input_shape=(32, 32, 3), activation="relu"), BatchNormalization()])
model.add(Dense(8, use_bias=False))
model.add(BatchNormalization())
""",
        """\
from torch import nn

def block(bias):
    return nn.Sequential(nn.Linear(8, 8, bias=bias), nn.BatchNorm1d(8), nn.Linear(8, 8), nn.LayerNorm(8))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for _, step, before in applications(program, "norm"):
            first = next((earlier for earlier in before if earlier.role != "same" and not is_linear(earlier)), None)
            if (
                first is None
                or first.role not in {"dense", "conv"}
                or not step.is_batch_norm
                or not _shifts(step.layer)
            ):
                continue
            if _has_bias(first.layer):
                message = f"the bias of {first.name} has no effect: {step.name} subtracts it again"
                yield self.finding(program, first.node, message)


def _has_bias(layer: Layer | None) -> bool:
    if layer is None:
        return False
    given = layer.arguments.get("use_bias" if layer.framework == "keras" else "bias", Constant(True))
    return truth_of(given) is True


def _shifts(layer: Layer | None) -> bool:
    if layer is None:
        return False
    return truth_of(layer.arguments.get("center", layer.arguments.get("affine", Constant(True)))) is True
