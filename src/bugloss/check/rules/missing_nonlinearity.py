"""missing-nonlinearity."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.head_edits import WrittenNode, add_activation
from bugloss.source.networks.network import NetworkStep, applications, consumers, is_linear
from bugloss.source.program import Program
from bugloss.source.semantics.binding import sizes
from bugloss.source.text.syntax import dotted
from bugloss.source.values.values import Layer

_PASSED = {"dropout", "norm", "same", "reshape"}


class MissingNonlinearity(Rule):
    """There is no activation between two layers with weights.

    ## What it finds
    A dense layer that feeds another dense layer, or a convolution that feeds another convolution, with nothing
    between them but dropout, normalisation and reshaping. Layers that narrow to a bottleneck, as in a low-rank
    product or a latent code, are not reported, and neither are depthwise and 1 x 1 convolutions.

    ## Why it hurts
    Two linear maps in a row are one linear map: the first layer adds parameters but no expressive power.

    ## Example
    ```python
    model.add(Dense(64))
    model.add(Dense(10, activation="softmax"))
    ```

    ## Use instead
    ```python
    model.add(Dense(64, activation="relu"))
    model.add(Dense(10, activation="softmax"))
    ```

    ## Known problems
    Between convolutions this is advice, because several published networks omit the activation there on purpose.

    ## Fix safety
    No fix is offered: the activation has to be chosen.

    ## References
    NeuraLint (Nikanjam et al., 2021) and UMLAUT (Schoop et al., 2021) look for missing activations.
    """

    name = "missing-nonlinearity"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.ACTIVATION
    groups = ("neuralint",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense, Dropout

model = Sequential()
model.add(Dense(64, input_dim=20))
model.add(Dropout(0.2))
model.add(Dense(10, activation="softmax"))
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(20, 64)
        self.second = nn.Linear(64, 3)

    def forward(self, x):
        x = self.first(x)
        return self.second(x)
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Dense, Activation, LeakyReLU

model = Sequential()
model.add(Dense(64, input_dim=20))
model.add(LeakyReLU(0.1))
model.add(Dense(32))
model.add(Activation("tanh"))
model.add(Dense(10, activation="softmax"))
""",
        """\
import torch
from torch import nn

class LowRank(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Linear(512, 16)
        self.up = nn.Linear(16, 512)

    def forward(self, x):
        return self.up(self.down(x))
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, activation):
        super().__init__()
        self.first = nn.Linear(20, 64)
        self.activation = activation
        self.second = nn.Linear(64, 3)

    def forward(self, x):
        x = self.activation(self.first(x))
        return self.second(x)
""",
        """\
import torch
from torch import nn

encoder = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 32))
probe = nn.Linear(32, 6)

def classify(x):
    with torch.no_grad():
        features = encoder(x)
    return probe(features)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        taken = consumers(program)
        for _, step, before in applications(program, "dense", "conv"):
            first = next((part for part in before if part.role not in _PASSED and not is_linear(part)), None)
            if first is None or first.role != step.role or first.layer is step.layer or first.layer is None:
                continue
            # What feeds a gate or a shortcut as well is more than a link in a chain.
            if taken.get(id(first.tensor), 0) > 1 or any(taken.get(id(part), 0) > 1 for part in step.before):
                continue
            if _whole(program, first.layer) is not _whole(program, step.layer):
                continue  # an encoder and what reads it, made one by one
            if step.role == "dense" and _is_no_bottleneck(first, step):
                message = f"{_between(first, step)}: together they are one linear layer"
                yield self.finding(program, step.node, message, fix=_activated(program, first.layer))
            elif step.role == "conv" and _is_plain(first) and _is_plain(step):
                message = f"{_between(first, step)}: together they are one convolution"
                yield self.finding(program, step.node, message, severity=Severity.ADVICE)


def _whole(program: Program, layer: Layer | None) -> ast.AST | None:
    """The class or the outermost Sequential that a layer is written in; None where it stands for itself."""
    found: ast.AST | None = None
    node = None if layer is None else program.parents.get(layer.node)
    while node is not None:
        if isinstance(node, ast.ClassDef) or (isinstance(node, ast.Call) and dotted(node.func).endswith("Sequential")):
            found = node
        node = program.parents.get(node)
    return found


def _activated(program: Program, layer: Layer) -> Fix | None:
    return suggested(add_activation(WrittenNode(program, layer.node), "relu", layer.framework))


def _between(first: NetworkStep, second: NetworkStep) -> str:
    return f"no activation between {_shown(first)} and {_shown(second)}"


def _shown(step: NetworkStep) -> str:
    return f"{step.name}({step.units})" if step.units is not None else step.name


def _is_no_bottleneck(first: NetworkStep, second: NetworkStep) -> bool:
    """A first layer at least as wide as one of its sides adds nothing; a narrower one limits the rank on purpose."""
    if first.units is None or second.units is None:
        return False
    width = first.shape_in[-1] if first.shape_in else None
    given = first.layer.integer("in_features") if first.layer is not None else None
    narrow = [number for number in (given, width, second.units) if isinstance(number, int)]
    return first.units >= min(narrow)


def _is_plain(step: NetworkStep) -> bool:
    layer = step.layer
    if layer is None or "Depthwise" in step.name or "Separable" in step.name or "Transpose" in step.name:
        return False
    kernel = layer.arguments.get("kernel_size")
    if "groups" in layer.arguments or kernel is None:
        return False
    return all(size is not None and size > 1 for size in sizes(kernel, 1 if "1" in step.name else 2))
