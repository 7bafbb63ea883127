"""nonzero-bias-init."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import role_of
from bugloss.source.program import Program
from bugloss.source.values.values import Layer

_UNUSUAL = {"ones", "one", "random_normal", "random_uniform", "glorot_uniform", "normal", "uniform"}


class NonzeroBiasInit(Rule):
    """Biases of hidden layers are not initialised to zero.

    ## What it finds
    A dense or convolutional Keras layer whose ``bias_initializer`` is ones or random.

    ## Why it hurts
    The random weights already break the symmetry between units. A non-zero bias only shifts the activations: it can
    saturate sigmoids and makes the initial loss worse.

    ## Example
    ```python
    Dense(64, bias_initializer="ones")
    ```

    ## Use instead
    ```python
    Dense(64, bias_initializer="zeros")
    ```

    ## Known problems
    Small positive constants are used with ReLU on purpose, and the output bias may encode the class frequencies:
    constants are not reported.

    ## Fix safety
    No fix is offered.

    ## References
    NeuraLint (Nikanjam et al., 2021).
    """

    name = "nonzero-bias-init"
    severity = Severity.ADVICE
    category = Category.MODEL
    fix_pattern = FixPattern.INITIALIZATION
    groups = ("neuralint", "style")
    words = ("bias_initializer",)
    faulty = (
        """\
from keras.layers import Dense

layer = Dense(64, activation="relu", bias_initializer="ones")
""",
    )
    clean = (
        """\
from keras.layers import Dense

layer = Dense(64, activation="relu", bias_initializer="zeros")
""",
        """\
import keras
from keras.layers import Dense, LSTM

prior = keras.initializers.Constant(-2.0)
layers = [Dense(1, activation="sigmoid", bias_initializer=prior), LSTM(8, bias_initializer="ones")]
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.prefixed("keras.layers."):
            layer = operation.result
            if isinstance(layer, Layer) and role_of(layer) in {"dense", "conv"}:
                name = layer.text("bias_initializer")
                if name in _UNUSUAL:
                    yield self.finding(
                        program, operation.node, f"the biases of {layer.name} start at {name} instead of zeros"
                    )
