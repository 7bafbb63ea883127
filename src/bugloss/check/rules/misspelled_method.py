"""misspelled-method."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher

from bugloss.check.contract import Rule, suggested
from bugloss.core.edit import Edit, Span
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_span
from bugloss.source.program import Program

_SIMILAR = 0.85  # of difflib: one letter is missing, doubled or in the wrong place
_TORCH, _KERAS = ("__init__", "forward"), ("__init__", "call")
_WANTED = {
    "torch.nn.Module": _TORCH,
    "keras.Model": _KERAS,
    "keras.layers.Layer": _KERAS,
    "torch.utils.data.Dataset": ("__init__", "__getitem__", "__len__"),
    "torch.utils.data.dataset.Dataset": ("__init__", "__getitem__", "__len__"),
}
_OTHER = {"forward": "call", "call": "forward"}
_SPECIAL = {"__init__", "__getitem__", "__getitems__", "__len__", "__iter__", "__call__", "__setitem__", "__delitem__"}


class MisspelledMethod(Rule):
    """A method that the framework calls has another name.

    ## What it finds
    Subclasses of ``nn.Module`` without ``forward``, of Keras layers and models without ``call``, of ``Dataset`` without
    ``__getitem__`` or ``__len__``, that define a method with nearly that name (``foward``, ``__init_``,
    ``__get_item__``), or the other framework's method.

    ## Why it hurts
    The framework calls its own, empty method: it raises NotImplementedError, or the constructor never runs.

    ## Example
    ```python
    class Net(nn.Module):
        def foward(self, x):
            return self.fc(x)
    ```

    ## Use instead
    ```python
    class Net(nn.Module):
        def forward(self, x):
            return self.fc(x)
    ```

    ## Known problems
    Classes with further bases of the file may inherit the method and are not reported.

    ## Fix safety
    Suggested: the method is renamed; calls of it by the old name are not changed.

    ## References
    PyTorch documentation, nn.Module.forward; Keras documentation, "Making new layers and models via subclassing".
    """

    name = "misspelled-method"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("model",)
    words = ("class ",)
    faulty = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def foward(self, x):
        return self.fc(x)
""",
        """\
import keras

class Scale(keras.layers.Layer):
    def forward(self, inputs):
        return inputs * 2
""",
        """\
from torch import nn

class Net(nn.Module):
    def __int__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(x)
""",
        """\
from torch.utils.data import Dataset

class Samples(Dataset):
    def __len__(self):
        return 3

    def __get_item__(self, index):
        return self.x[index]
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Base(nn.Module):
    def encode(self, x):
        return x

class Net(Base):
    def forward_features(self, x):
        return x

class Whole(nn.Module):
    def forward(self, x):
        return x

    def forwards(self, x):
        return x
""",
        """\
import keras

class Scale(keras.layers.Layer):
    def call(self, inputs):
        return inputs * 2
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.ClassDef]:
            assert isinstance(node, ast.ClassDef)
            bases = [program.names.qualified(base) for base in node.bases]
            wanted = _WANTED.get(bases[0] or "") if len(bases) == 1 else None
            if wanted is None:
                continue
            methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
            for right in wanted:
                wrong = _nearly(right, methods) if right not in methods else None
                if wrong is not None:
                    message = f"{node.name} defines {wrong.name}, but {bases[0]} calls {right}"
                    yield self.finding(program, wrong, message, fix=suggested(_renamed(program, wrong, right)))


def _nearly(right: str, methods: dict[str, ast.FunctionDef]) -> ast.FunctionDef | None:
    for name, method in methods.items():
        known = name in _SPECIAL or name in {"forward", "call"}
        if (known and name != _OTHER.get(right)) or method.decorator_list:
            continue
        if name == _OTHER.get(right) or SequenceMatcher(None, name, right).ratio() >= _SIMILAR:
            return method
    return None


def _renamed(program: Program, method: ast.FunctionDef, new: str) -> Edit | None:
    line = program.source.lines[method.lineno - 1]
    at = line.find(method.name, method.col_offset)
    if at < 0:
        return None
    return Edit.of(replace_span(program, Span(method.lineno, at, method.lineno, at + len(method.name)), new))
