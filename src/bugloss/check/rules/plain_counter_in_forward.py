"""plain-counter-in-forward."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, walk_here


class PlainCounterInForward(Rule):
    """The forward pass updates a counter in a plain attribute.

    ## What it finds
    ``self.x += …`` in ``forward`` on an attribute that ``__init__`` set to a plain number.

    ## Why it hurts
    ``nn.DataParallel`` copies the network for every pass, so the update is lost with the copy. Checkpoints do not
    contain it either: a resumed run starts at the initial value.

    ## Example
    ```python
    self.steps = 0          # in __init__
    self.steps += 1         # in forward
    ```

    ## Use instead
    ```python
    self.register_buffer("steps", torch.zeros((), dtype=torch.long))
    self.steps += 1
    ```

    ## Known problems
    A warning if the file uses ``nn.DataParallel``, otherwise advice.

    ## Fix safety
    No fix is offered: the number has to become a tensor.

    ## References
    PyTorch issue 2864; PyTorch documentation, torch.nn.DataParallel (warning on updates in forward).
    """

    name = "plain-counter-in-forward"
    severity = Severity.ADVICE
    category = Category.GPU
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("device", "model")
    words = ("forward",)
    faulty = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        return self.layer(x) / self.steps
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)
        self.register_buffer("steps", torch.zeros(()))

    def forward(self, x):
        self.steps += 1
        return self.layer(x) / self.steps
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)
        self.calls = 0

    def forward(self, x):
        return self.layer(x)

    def count(self):
        self.calls += 1
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        severity = Severity.WARNING if program.called("DataParallel") else Severity.ADVICE
        for class_ in torch_classes(program).values():
            initialiser, forward = class_.methods.get("__init__"), class_.methods.get("forward")
            if initialiser is None or forward is None:
                continue
            numbers = {dotted(node.targets[0]) for node in initialiser.body if _sets_number(node)}
            for node in walk_here(forward.body):
                if isinstance(node, ast.AugAssign) and dotted(node.target) in numbers:
                    message = f"{dotted(node.target)} is lost by replicas and checkpoints: register it as a buffer"
                    yield self.finding(program, node, message, severity=severity)


def _sets_number(node: ast.stmt) -> TypeGuard[ast.Assign]:
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
        return False
    return isinstance(node.value.value, (int, float)) and dotted(node.targets[0]).startswith("self.")
