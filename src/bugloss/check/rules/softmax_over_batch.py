"""softmax-over-batch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, method_of, walk, walk_here

_FUNCTIONS = {"softmax", "log_softmax"}
_LAYERS = {"Softmax", "LogSoftmax"}


class SoftmaxOverBatch(Rule):
    """A softmax compares samples instead of classes.

    ## What it finds
    ``softmax`` and ``log_softmax`` over axis 0 of what ``forward`` returns (or as the last layer of ``nn.Sequential``)
    in a file that trains with a ``DataLoader`` or a loss over classes, and over axis 0 of any tensor whose first axis
    is known to be the batch.

    ## Why it hurts
    The probabilities of one sample depend on the others in its batch and do not sum to one: the network cannot be used
    on single samples, and the loss is wrong.

    ## Example
    ```python
    return F.log_softmax(self.fc(x), dim=0)
    ```

    ## Use instead
    ```python
    return F.log_softmax(self.fc(x), dim=1)
    ```

    ## Known problems
    Files without loaders may process one sample at a time and are not reported.

    ## Fix safety
    Suggested: the last axis is used.

    ## References
    PyTorch documentation, nn.Softmax: dim.
    """

    name = "softmax-over-batch"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("model",)
    words = ("oftmax",)
    faulty = (
        """\
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return F.log_softmax(self.fc(x), dim=0)
""",
        """\
from torch import nn
from torch.utils.data import DataLoader

model = nn.Sequential(nn.Linear(8, 3), nn.Softmax(dim=0))
""",
        """\
import torch
from torch import nn
from torch.utils.data import DataLoader

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)
        self.out = nn.LogSoftmax(0)

    def forward(self, x):
        x = self.fc(x)
        return self.out(x)
""",
    )
    clean = (
        """\
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)
        self.scale = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        weights = F.softmax(self.scale, dim=0)
        return F.log_softmax(self.fc(x) * weights, dim=1)
""",
        """\
import torch
import torch.nn.functional as F
from torch import nn

class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, state):
        return F.softmax(self.fc(state), dim=0)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or not program.mentions(("DataLoader",)):
            return
        layers = _layers_over_batch(program)
        for class_ in torch_classes(program).values():
            forward = class_.methods.get("forward")
            for node in walk_here(forward.body) if forward is not None else ():
                value = node.value if isinstance(node, ast.Return) else None
                if isinstance(value, ast.Call):
                    axis = layers.get(dotted(value.func)) or (
                        _axis(value, 1) if method_of(value) in _FUNCTIONS else None
                    )
                    if axis is not None and _from_layer(forward, value):
                        yield self._found(program, axis)
        for call in program.called("Sequential"):
            last = call.args[-1] if call.args else None
            axis = _axis(last, 0) if isinstance(last, ast.Call) and method_of(last) in _LAYERS else None
            if axis is not None and len(call.args) > 1:
                yield self._found(program, axis)

    def _found(self, program: Program, axis: ast.expr) -> Finding:
        message = "softmax over axis 0 compares the samples of a batch: use the axis of the classes, dim=-1"
        return self.finding(program, axis, message, fix=replace_node(program, axis, "-1", "use the last axis"))


def _axis(call: ast.Call, position: int) -> ast.expr | None:
    """The axis where it is 0."""
    given = argument_node(call, position, "dim", "axis")
    return given if is_constant(given, 0) else None


def _layers_over_batch(program: Program) -> dict[str, ast.expr]:
    """Attributes that hold a softmax over axis 0."""
    found = {}
    for node in program.nodes[ast.Assign]:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and method_of(node.value) in _LAYERS:
            axis = _axis(node.value, 0)
            if axis is not None:
                found[dotted(node.targets[0])] = axis
    return found


def _from_layer(forward: ast.FunctionDef | None, call: ast.Call) -> bool:
    """Whether what is normalised comes out of a layer of the network, not from a parameter."""
    value = call.args[0] if call.args else None
    if isinstance(value, ast.Name) and forward is not None:
        for node in walk_here(forward.body):
            if (
                isinstance(node, ast.Assign)
                and dotted(node.targets[0]) == value.id
                and isinstance(node.value, ast.Call)
            ):
                return any(
                    dotted(part).startswith("self.") for part in walk(node.value) if isinstance(part, ast.Attribute)
                )
        return False
    return isinstance(value, ast.Call) and dotted(value.func).startswith("self.")
