"""residual-overwritten-in-place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import remove_argument
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, keyword_of, method_of, targets_of, walk


class ResidualOverwrittenInPlace(Rule):
    """An in-place activation overwrites the input of a residual connection.

    ## What it finds
    A ``forward`` that applies an in-place ReLU (``nn.ReLU(inplace=True)``, ``F.relu_``) to a tensor and adds the
    same tensor again later.

    ## Why it hurts
    The in-place operation changes the tensor that the shortcut uses, so what is added is no longer the input:
    negative values are gone.

    ## Example
    ```python
    out = self.relu(x)  # nn.ReLU(inplace=True)
    return self.conv(out) + x
    ```

    ## Use instead
    ```python
    out = torch.relu(x)
    return self.conv(out) + x
    ```

    ## Known problems
    A tensor that is copied or renamed by an operation in between is another one and is not reported.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    PyTorch documentation of ``torch.nn.ReLU`` (``inplace``).
    """

    name = "residual-overwritten-in-place"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("model",)
    words = ("inplace", "relu_")
    faulty = (
        """\
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.relu = nn.ReLU(inplace=True)
        self.conv = nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x):
        out = self.relu(x)
        out = self.conv(out)
        return out + x
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.relu = nn.ReLU()
        self.conv = nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x):
        out = self.relu(x)
        out = self.conv(out)
        return out + x
""",
    }
    clean = (
        """\
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.relu = nn.ReLU(inplace=True)
        self.plain = nn.ReLU()
        self.conv = nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x):
        out = self.relu(self.conv(x))
        out = self.conv(out)
        out = out + x
        return self.relu(out) + self.plain(x)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        layers = {
            dotted(target)
            for node in program.nodes[ast.Assign]
            if isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and is_constant(keyword_of(node.value, "inplace"), True)
            for target in targets_of(node)
        }
        for function in program.nodes[ast.FunctionDef]:
            if isinstance(function, ast.FunctionDef) and function.name == "forward":
                yield from self._in_forward(program, function, layers)

    def _in_forward(self, program: Program, function: ast.FunctionDef, layers: set[str]) -> Iterator[Finding]:
        for call in (part for part in walk(function) if isinstance(part, ast.Call)):
            in_place = dotted(call.func) in layers or method_of(call) == "relu_"
            in_place = in_place or is_constant(keyword_of(call, "inplace"), True)
            given = call.args[0] if in_place and call.args else None
            if not isinstance(given, ast.Name):
                continue
            names = {given.id, *_renamed(function, given.id, call.lineno)}
            for name in names:
                later = _next_store(function, name, call)
                if any(
                    _adds(part, name) and call.lineno < getattr(part, "lineno", 0) <= later for part in walk(function)
                ):
                    message = f"the in-place activation changes {given.id}, which is added again below: use a plain one"
                    yield self.finding(program, call, message, fix=suggested(_plain(program, call)))
                    break


def _plain(program: Program, call: ast.Call) -> Edit | None:
    """The activation that leaves its input alone: in the call, or where the layer is made."""
    name = dotted(call.func)
    made = [node.value for node in program.assignments.get(name, []) if isinstance(node.value, ast.Call)]
    for one in (call, *made):
        given = next((item for item in one.keywords if item.arg == "inplace"), None)
        if given is not None:
            return remove_argument(program, one, given)
    return None


def _renamed(function: ast.FunctionDef, name: str, before: int) -> set[str]:
    """Other names of the same tensor: ``identity = x``."""
    return {
        dotted(target)
        for part in walk(function)
        if isinstance(part, ast.Assign)
        and isinstance(part.value, ast.Name)
        and part.value.id == name
        and part.lineno < before
        for target in targets_of(part)
    }


def _next_store(function: ast.FunctionDef, name: str, call: ast.Call) -> int:
    """The line up to which the name still holds this tensor."""
    lines = [
        part.lineno
        for part in walk(function)
        if isinstance(part, ast.Name)
        and part.id == name
        and isinstance(part.ctx, ast.Store)
        and part.lineno >= call.lineno
    ]
    return min(lines, default=10**9)


def _adds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        return isinstance(node.value, ast.Name) and node.value.id == name
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) else []
    return any(isinstance(side, ast.Name) and side.id == name for side in sides)
