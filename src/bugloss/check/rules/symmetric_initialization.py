"""symmetric-initialization."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import applications
from bugloss.source.program import Program
from bugloss.source.values.values import Layer, Other, number_of, text_of

_FILLERS = ("torch.nn.init.constant_", "torch.nn.init.zeros_", "torch.nn.init.ones_")


class SymmetricInitialization(Rule):
    """All weights of a hidden layer start with the same value.

    ## What it finds
    A Keras layer inside a network whose kernel starts at zeros, ones or a constant, and a PyTorch initialiser that
    fills the weights of linear or convolutional layers with a constant.

    ## Why it hurts
    Units with equal initial weights get the same gradient and stay identical: the layer computes a single feature,
    however wide it is. With zeros it passes no signal at all.

    ## Example
    ```python
    Dense(64, activation="relu", kernel_initializer="zeros")
    ```

    ## Use instead
    ```python
    Dense(64, activation="relu", kernel_initializer="he_normal")
    ```

    ## Known problems
    The output layer often starts at zero, so only layers before it are reported. Files that load or set weights are
    not reported.

    ## Fix safety
    No fix is offered: the right initialiser depends on the activation.

    ## References
    NeuraLint (Nikanjam et al., 2021); Goodfellow et al., Deep Learning, section 8.4.
    """

    name = "symmetric-initialization"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.INITIALIZATION
    groups = ("neuralint",)
    words = ("kernel_initializer", "init")
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential()
model.add(Dense(64, input_dim=8, activation="relu", kernel_initializer="zeros"))
model.add(Dense(1))
""",
        """\
from torch import nn

def initialise(module):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.weight, 0.1)
        nn.init.zeros_(module.bias)
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import BatchNormalization, Dense

model = Sequential()
model.add(Dense(64, input_dim=8, activation="relu", kernel_initializer="he_normal", bias_initializer="zeros"))
model.add(BatchNormalization(gamma_initializer="ones"))
model.add(Dense(3, kernel_initializer="zeros", activation="softmax"))
""",
        """\
from torch import nn

def initialise(module):
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        nn.init.zeros_(module.bias)
    elif isinstance(module, (nn.BatchNorm2d, nn.GroupNorm)):
        nn.init.constant_(module.weight, 1)
        nn.init.constant_(module.bias, 0)
""",
        """\
from torch import nn

class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Linear(64, 8)
        self.up = nn.Linear(8, 64)
        nn.init.zeros_(self.up.weight)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        yield from self._keras(program)
        yield from self._torch(program)

    def _keras(self, program: Program) -> Iterator[Finding]:
        if program.mentions((".set_weights(", ".load_weights(")):  # the start is then replaced by learned weights
            return
        for _, _, before in applications(program, "dense", "conv"):
            for earlier in before:  # only layers that another layer with weights follows
                name = _constant(earlier.layer) if earlier.role in {"dense", "conv"} else None
                if name is not None and earlier.layer is not None and (earlier.units or 0) > 1:
                    shown = f"{earlier.name}({earlier.units})"
                    message = f"the weights of {shown} start with one value ({name}), so all its units stay identical"
                    yield self.finding(program, earlier.node, message)

    def _torch(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls(*_FILLERS):
            node = operation.node
            guard = program.enclosing(node, ast.If)
            if not isinstance(node, ast.Call) or not isinstance(guard, ast.If) or not node.args:
                continue
            target = ast.unparse(node.args[0])
            if target.endswith((".weight", ".weight.data")) and _is_about_layers(guard.test):
                message = f"every {target} starts with one value, so all units of a layer stay identical"
                yield self.finding(program, node, message)


def _constant(layer: Layer | None) -> str | None:
    """How a constant kernel initialiser of a Keras layer is called; None for any other."""
    if layer is None or layer.framework != "keras":
        return None
    value = layer.arguments.get("kernel_initializer")
    name = text_of(value) if value is not None else None
    if isinstance(value, Other):
        name = value.kind.rsplit(".", 1)[-1].lower()
        # A constant may be a whole array of weights that were learned elsewhere.
        if "value" in value.arguments and number_of(value.arguments["value"]) is None:
            return None
    return name if name in {"zero", "zeros", "one", "ones", "constant"} else None


def _is_about_layers(test: ast.expr) -> bool:
    """``isinstance(m, nn.Linear)`` and the like, for layers whose weights must differ."""
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance"):
        return False
    text = ast.unparse(test.args[-1])
    return ("Linear" in text or "Conv" in text) and "Norm" not in text
