"""layer-made-in-forward."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import is_parametric, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import walk_here


class LayerMadeInForward(Rule):
    """A layer is created in every forward pass.

    ## What it finds
    A layer with weights, or dropout or batch normalisation, that ``forward`` creates and applies.

    ## Why it hurts
    Weights created there start at random values in every pass, are unknown to the optimizer and are never trained or
    saved. Dropout created there ignores ``eval()``.

    ## Example
    ```python
    def forward(self, x):
        return nn.Linear(8, 2)(x)
    ```

    ## Use instead
    ```python
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)
    ```

    ## Known problems
    Layers that are created once and kept (``if self.layer is None``) are not reported.

    ## Fix safety
    No fix is offered: the arguments may depend on the input.

    ## References
    PyTorch documentation, torch.nn.Module.
    """

    name = "layer-made-in-forward"
    severity = Severity.ERROR
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("model",)
    words = ("forward",)
    faulty = (
        """\
import torch.nn as nn

class Net(nn.Module):
    def forward(self, x):
        return nn.Linear(8, 2)(x)
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        dropout = nn.Dropout(0.5)
        return self.layer(dropout(x))
""",
    )
    clean = (
        """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = None

    def forward(self, x):
        if self.layer is None:
            self.layer = nn.Linear(x.shape[1], 2)
        return nn.ReLU()(self.layer(x))
""",
        """\
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return nn.Softmax(dim=1)(F.relu(self.layer(x)))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for class_ in torch_classes(program).values():
            forward = class_.methods.get("forward")
            for call in walk_here(forward.body) if forward is not None else ():
                if isinstance(call, ast.Call) and _is_applied(program, call):
                    short = (program.names.qualified(call.func) or "").rsplit(".", 1)[-1]
                    effect = _effect(program, call, short)
                    if effect:
                        message = f"{class_.name}.forward creates a new {short} in every pass, {effect}"
                        yield self.finding(program, call, message)


def _effect(program: Program, call: ast.Call, short: str) -> str | None:
    qualified = program.names.qualified(call.func) or ""
    if qualified != f"torch.nn.{short}" or not short[:1].isupper():
        return None
    if "Dropout" in short:
        return "which stays active in evaluation mode"
    return "whose weights are new and never trained" if is_parametric(short) else None


def _is_applied(program: Program, call: ast.Call) -> bool:
    """Whether the new layer is called at once, or bound to a plain name of the method."""
    parent = program.parents.get(call)
    if isinstance(parent, ast.Call):
        return parent.func is call
    return isinstance(parent, ast.Assign) and all(isinstance(target, ast.Name) for target in parent.targets)
