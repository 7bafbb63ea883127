"""missing-super-init."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line
from bugloss.check.views.layer_assignments import assigns_layer
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, walk_here


class MissingSuperInit(Rule):
    """``__init__`` of a module does not call ``super().__init__()``.

    ## What it finds
    ``__init__`` of a class derived from ``nn.Module``, ``keras.Model`` or ``keras.layers.Layer`` that assigns
    layers but never calls ``super().__init__()``.

    ## Why it hurts
    PyTorch raises 'cannot assign module before Module.__init__() call' at the first layer, Keras an error at the
    first layer or the first call.

    ## Example
    ```python
    def __init__(self):
        self.layer = nn.Linear(8, 2)
    ```

    ## Use instead
    ```python
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)
    ```

    ## Known problems
    Classes with a base class from another file are not reported.

    ## Fix safety
    Safe: without the call no instance can be created.

    ## References
    PyTorch documentation, torch.nn.Module; Keras documentation, Making new layers and models via subclassing.
    """

    name = "missing-super-init"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("model",)
    words = ("__init__",)
    faulty = (
        """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)
""",
        """\
import keras

class Net(keras.Model):
    def __init__(self, units, **kwargs):
        self.dense = keras.layers.Dense(units)

    def call(self, x):
        return self.dense(x)
""",
    )
    clean = (
        """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        nn.Module.__init__(self)
        self.layer = nn.Linear(8, 2)

class Smaller(Net):
    def __init__(self):
        super(Smaller, self).__init__()
        self.head = nn.Linear(2, 1)
""",
        """\
import torch.nn as nn
from elsewhere import Base

class Wrapper(Base):
    def __init__(self):
        self.layer = nn.Linear(8, 2)

class Plain:
    def __init__(self):
        self.layer = nn.Linear(8, 2)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)
""",
        1: """\
import keras

class Net(keras.Model):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(units)

    def call(self, x):
        return self.dense(x)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.ClassDef]:
            assert isinstance(node, ast.ClassDef)
            bases = [program.names.qualified(base) for base in node.bases]
            if len(bases) != 1 or bases[0] not in _BASES:
                continue
            initialiser = next((i for i in node.body if isinstance(i, ast.FunctionDef) and i.name == "__init__"), None)
            if initialiser is None or calls_in(initialiser.body, "__init__", "__setstate__", "super"):
                continue
            layer = next((part for part in walk_here(initialiser.body) if assigns_layer(program, part)), None)
            if layer is not None:
                message = f"{node.name}.__init__ never calls super().__init__(), so its first layer cannot be assigned"
                yield self.finding(program, initialiser, message, fix=_fix(program, initialiser))


_BASES = {"torch.nn.Module", "keras.Model", "keras.layers.Layer"}


def _fix(program: Program, initialiser: ast.FunctionDef) -> Fix:
    extra = initialiser.args.kwarg
    text = f"super().__init__(**{extra.arg})" if extra is not None else "super().__init__()"
    first = initialiser.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    before = initialiser.body[1] if is_docstring and len(initialiser.body) > 1 else first
    return insert_line(program, before, text, "call super().__init__() first", Safety.SAFE)
