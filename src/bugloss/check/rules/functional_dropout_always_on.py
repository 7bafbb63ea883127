"""functional-dropout-always-on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, add_argument
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.layer import LayerFamily, torch_layers
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, method_of, spreads, walk


class FunctionalDropoutAlwaysOn(Rule):
    """Functional dropout ignores the network's mode.

    ## What it finds
    ``F.dropout`` or one of its variants in a method of a network without the argument ``training``.

    ## Why it hurts
    The function drops activations by default, also after ``eval()``. Predictions are random and worse than they
    should be.

    ## Example
    ```python
    x = F.dropout(x, 0.5)
    ```

    ## Use instead
    ```python
    x = F.dropout(x, 0.5, training=self.training)
    ```

    ## Known problems
    Dropout at prediction time may be intended (Monte-Carlo dropout); write ``training=True`` in that case.

    ## Fix safety
    Suggested: predictions change in evaluation mode.

    ## References
    PyTorch documentation, torch.nn.functional.dropout: training defaults to True.
    """

    name = "functional-dropout-always-on"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("model",)
    words = ("dropout",)
    faulty = (
        """\
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(F.dropout(x, 0.5))
""",
    )
    clean = (
        """\
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def forward(self, x):
        x = F.dropout(x, 0.5, self.training)
        return F.dropout(x, p=0.5, training=self.training)
""",
        """\
import torch.nn as nn
import torch.nn.functional as F

class Bayesian(nn.Module):
    def forward(self, x):
        if self.training and x.ndim > 1:
            x = F.dropout(x, 0.2)
        return F.dropout(x, 0.5, training=True)

def noisy(x):
    return F.dropout(x, 0.1)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(F.dropout(x, 0.5, training=self.training))
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        classes = {class_.node for class_ in torch_classes(program).values()}
        for call in program.called(*_DROPOUTS):
            name = method_of(call)
            if not (program.names.qualified(call.func) or "").startswith("torch.nn.functional."):
                continue
            if len(call.args) > 2 or keyword_of(call, "training") or spreads(call):
                continue
            method = program.enclosing(call, ast.FunctionDef)
            if _depends_on_the_mode(program, call):
                continue
            if isinstance(method, ast.FunctionDef) and method.args.args and program.parents.get(method) in classes:
                this = method.args.args[0].arg
                message = f"{name} drops activations in evaluation mode too: pass training={this}.training"
                fix = add_argument(program, call, f"training={this}.training", "pass the mode of the network")
                yield self.finding(program, call, message, fix=fix)


_DROPOUTS = tuple(row.function for row in torch_layers(LayerFamily.DROPOUT))


def _depends_on_the_mode(program: Program, call: ast.Call) -> bool:
    """Whether the call is in ``if self.training``."""
    test = program.enclosing(call, ast.If, ast.IfExp, ast.FunctionDef)
    while isinstance(test, (ast.If, ast.IfExp)):
        if any(isinstance(node, ast.Attribute) and node.attr == "training" for node in walk(test.test)):
            return True
        test = program.enclosing(test, ast.If, ast.IfExp, ast.FunctionDef)
    return False
