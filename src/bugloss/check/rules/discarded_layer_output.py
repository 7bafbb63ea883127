"""discarded-layer-output."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import methods_of_forward, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, loads, method_of, targets_of, walk


class DiscardedLayerOutput(Rule):
    """The output of a layer is overwritten before anything reads it.

    ## What it finds
    In ``forward``, ``call`` or where a functional network is built: a variable is given the output of a layer, and the
    next assignment to it does not read it (``x = self.conv1(images)`` and then ``x = self.conv2(images)``).

    ## Why it hurts
    The first layer has no effect on the output and gets no gradient: the network is smaller than it looks.

    ## Example
    ```python
    h = self.first(x)
    h = self.second(x)
    ```

    ## Use instead
    ```python
    h = self.first(x)
    h = self.second(h)
    ```

    ## Known problems
    Layers that are called for a side effect are reported too.

    ## Fix safety
    Suggested: the second layer reads the output of the first.

    ## References
    The catalogue's rows disconnected and unused-layer.
    """

    name = "discarded-layer-output"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("model",)
    words = ("def forward", "def call", "layers")
    faulty = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 2)

    def forward(self, x):
        h = torch.relu(self.first(x))
        h = self.second(x)
        return h
""",
        """\
import keras
from keras import layers

inputs = keras.Input((8,))
x = layers.Dense(16, activation="relu")(inputs)
x = layers.Dense(2)(inputs)
model = keras.Model(inputs, x)
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 8)

    def forward(self, x):
        h = self.first(x)
        h = self.second(h)
        skip = self.first(x)
        if h.mean() > 0:
            h = h + skip
        else:
            h = x
        _ = self.second(h)
        _ = self.first(h)
        return h
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        bodies = [method.body for class_ in torch_classes(program).values() for method in methods_of_forward(class_)]
        if "keras" in program.frameworks or "tensorflow" in program.frameworks:
            functions = [node for node in program.nodes[ast.FunctionDef] if isinstance(node, ast.FunctionDef)]
            bodies += [program.tree.body, *(function.body for function in functions)]
        for body in bodies:
            for first, second in pairwise(body):
                yield from self._judge(program, first, second)

    def _judge(self, program: Program, first: ast.stmt, second: ast.stmt) -> Iterator[Finding]:
        if not isinstance(first, ast.Assign) or not isinstance(second, ast.Assign):
            return
        names = [dotted(target) for target in (*targets_of(first), *targets_of(second))]
        same = len(names) == 2 and names[0] == names[1] and names[0] and not names[0].startswith("_")
        if not same or not _applies(program, first.value) or not _applies(program, second.value):
            return
        if names[0] not in loads(second.value):
            message = (
                f"{names[0]} is overwritten in line {second.lineno} before anything reads it: this layer has no effect"
            )
            given = _input(program, second.value)
            fix = replace_node(program, given, names[0], f"pass on {names[0]}") if given is not None else None
            yield self.finding(program, first, message, fix=fix)


def _applies(program: Program, value: ast.expr) -> bool:
    """Whether an expression applies a layer: ``self.fc(x)`` inside activations, or ``layers.Dense(3)(x)``."""
    for node in walk(value):
        if isinstance(node, ast.Call):
            if dotted(node.func).startswith("self.") and dotted(node.func).count(".") == 1 and node.args:
                return True
            inner = node.func
            if isinstance(inner, ast.Call) and (program.names.qualified(inner.func) or "").startswith("keras.layers."):
                return True
    return False


def _input(program: Program, value: ast.expr) -> ast.expr | None:
    """What the innermost layer of an expression reads."""
    calls = [node for node in walk(value) if isinstance(node, ast.Call) and _applies(program, node)]
    last = calls[-1] if calls else None
    if last is None or len(last.args) != 1 or not isinstance(last.args[0], ast.Name) or method_of(last) == "Input":
        return None
    return last.args[0]
