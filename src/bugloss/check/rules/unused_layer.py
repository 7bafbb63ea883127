"""unused-layer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.network import role_of
from bugloss.source.program import Program
from bugloss.source.values.values import ClassValue, Layer

_BASES = {"torch.nn.Module", "keras.Model", "keras.layers.Layer"}
_WITH_WEIGHTS = {"dense", "conv", "recurrent", "embedding", "norm"}
_REFLECTION = ("getattr", "children()", "modules()", "named_modules", "named_children", "_modules", "__dict__")
_REFLECTION_TOO = ("parameters()", "vars(", "eval(", "jit.", "locals(")


class UnusedLayer(Rule):
    """A layer is created but never used.

    ## What it finds
    A layer that the constructor of a network stores in an attribute that the file never reads.

    ## Why it hurts
    The layer has no effect: either ``forward`` lacks a step, or the layer is a leftover whose weights are counted,
    saved and, in distributed training, waited for.

    ## Example
    ```python
    def __init__(self):
        self.hidden = nn.Linear(8, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(x)
    ```

    ## Use instead
    ```python
    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))
    ```

    ## Known problems
    Reads through ``getattr`` or in another file are not found: classes that use ``getattr`` or iterate over their own
    modules are not reported, and neither are classes with a base class from another file.

    ## Fix safety
    No fix is offered: the layer may be missing in ``forward`` or superfluous in the constructor.

    ## References
    The row unused-layer of the catalogue; torch-audit.
    """

    name = "unused-layer"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ()
    faulty = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(8, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(x)
""",
        """\
import keras
from keras import layers

class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = layers.Dense(8, activation="relu")
        self.out = layers.Dense(1)

    def call(self, x):
        return self.out(x)
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(8, 8)
        self.stack = nn.Sequential(self.hidden, nn.ReLU())
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(self.stack(x))
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 8)

    def forward(self, x):
        for module in self.children():
            x = module(x)
        return x
""",
        """\
import torch
from torch import nn
from torchvision.models import ResNet

class Deeper(ResNet):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(512, 10)

    def forward(self, x):
        return super().forward(x)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        read = {node.attr for node in program.nodes[ast.Attribute] if isinstance(node.ctx, ast.Load)}  # type: ignore[attr-defined]
        named = {node.value for node in program.nodes[ast.Constant] if isinstance(node.value, str)}  # type: ignore[attr-defined]
        for model in program.models:
            if model.class_ is None or not _is_closed(program, model.class_):
                continue
            for name, value in model.attributes.items():
                if isinstance(value, Layer) and name not in read and name not in named:
                    severity = None if role_of(value) in _WITH_WEIGHTS else Severity.ADVICE
                    message = f"self.{name} ({value.name}) is created but never used"
                    yield self.finding(program, value.node, message, severity=severity)


def _is_closed(program: Program, class_: ClassValue) -> bool:
    """Whether all uses of a class's attributes can be seen: its own forward, a base of the framework, no reflection."""
    own = {item.name for item in class_.node.body if isinstance(item, ast.FunctionDef)}
    if not own & {"forward", "call"} or len(class_.node.bases) != 1 or class_.bases[0] not in _BASES:
        return False
    text = program.source.segment(class_.node)
    return not any(word in text for word in (*_REFLECTION, *_REFLECTION_TOO))
