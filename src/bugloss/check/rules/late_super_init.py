"""late-super-init."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, move_before
from bugloss.check.views.layer_assignments import assigns_layer
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in


class LateSuperInit(Rule):
    """A module assigns layers before ``super().__init__()``.

    ## What it finds
    ``__init__`` of an ``nn.Module`` that assigns a layer or parameter before the line with ``super().__init__()``.

    ## Why it hurts
    The assignment raises 'cannot assign module before Module.__init__() call'.

    ## Example
    ```python
    self.layer = nn.Linear(8, 2)
    super().__init__()
    ```

    ## Use instead
    ```python
    super().__init__()
    self.layer = nn.Linear(8, 2)
    ```

    ## Known problems
    Plain values may be assigned before, so only layers and parameters are reported.

    ## Fix safety
    Suggested: arguments of the call may depend on earlier lines.

    ## References
    PyTorch documentation, torch.nn.Module (note on super().__init__()).
    """

    name = "late-super-init"
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
        super().__init__()
""",
    )
    clean = (
        """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self, width):
        self.width = width
        head = nn.Linear(width, 2)
        super().__init__()
        self.head = head
""",
        """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self, width=None):
        if width is None:
            super().__init__()
        else:
            super(Net, self).__init__()
        self.head = nn.Linear(8, 2)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for class_ in torch_classes(program).values():
            initialiser = class_.methods.get("__init__")
            calls = calls_in(initialiser.body, "__init__") if initialiser is not None else []
            if initialiser is None or not calls:
                continue
            for statement in initialiser.body:
                if statement.lineno < calls[0].lineno and assigns_layer(program, statement):
                    message = f"{class_.name} assigns a layer before super().__init__(), which raises an AttributeError"
                    yield self.finding(program, statement, message, fix=_fix(program, statement, calls[0]))
                    break


def _fix(program: Program, first: ast.stmt, call: ast.Call) -> Fix | None:
    statement = program.parents.get(call)
    if not isinstance(statement, ast.Expr):
        return None
    return move_before(program, statement, first, "call super().__init__() first")
