"""discarded-tensor-result."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.evaluation import network_names
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, method_of, receiver_of, walk, walk_here
from bugloss.source.values.values import Tensor


class DiscardedTensorResult(Rule):
    """The result of a tensor operation is not used.

    ## What it finds
    A statement such as ``x.to(device)``, ``x.cuda()`` or ``x.unsqueeze(0)`` on a tensor, whose result is not used.

    ## Why it hurts
    These methods return a new tensor (only for modules do ``to`` and ``cuda`` work in place). The variable still
    refers to the old tensor, and the next operation fails or uses the wrong data.

    ## Example
    ```python
    for x, y in loader:
        x.to(device)
    ```

    ## Use instead
    ```python
    for x, y in loader:
        x = x.to(device)
    ```

    ## Known problems
    Only variables that are known to hold tensors are checked: those created by the framework or unpacked from the
    batches of a training or evaluation loop.

    ## Fix safety
    Suggested.

    ## References
    PyTorch documentation, Tensor.to (returns a copy).
    """

    name = "discarded-tensor-result"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("device", "tensor")
    words = ("torch",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer, device):
    for x, y in loader:
        x.to(device)
        y = y.to(device)
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
        """\
import torch

x = torch.zeros(3, 4)
x.unsqueeze(0)
""",
    )
    clean = (
        """\
import torch

def move(models, loader, device):
    for name, model in models.items():
        model.to(device)
    for module, weight in zip(models, loader):
        module.cuda()
    net = torch.nn.Linear(2, 2)
    net.to(device)
""",
        """\
import torch

def train(model, loader, device):
    for batch in loader:
        batch.to(device)
        model(batch)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def train(model, loader, criterion, optimizer, device):
    for x, y in loader:
        x = x.to(device)
        y = y.to(device)
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for node in program.nodes[ast.Expr]:
            call = node.value if isinstance(node, ast.Expr) else None
            if not isinstance(call, ast.Call) or method_of(call) not in _PURE | _MOVES:
                continue
            name = receiver_of(call)
            if isinstance(name, ast.Name) and _is_tensor(program, call, name.id):
                message = (
                    f"{name.id}.{method_of(call)}() returns a new tensor, which is not used; {name.id} is unchanged"
                )
                text = f"{name.id} = {program.source.segment(call)}"
                yield self.finding(program, call, message, fix=replace_node(program, node, text, "assign the result"))


_MOVES = {"to", "cuda", "cpu", "float", "double", "half"}
_PURE = {
    "unsqueeze",
    "squeeze",
    "view",
    "reshape",
    "permute",
    "transpose",
    "long",
    "clamp",
    "detach",
    "contiguous",
    "flatten",
}


def _is_tensor(program: Program, call: ast.Call, name: str) -> bool:
    for operation in program.calls(f"Tensor.{method_of(call)}"):
        if operation.node is call and isinstance(operation.receiver, Tensor) and operation.receiver.library == "torch":
            return True
    loop = program.enclosing(call, ast.For, ast.FunctionDef, ast.AsyncFunctionDef)
    return method_of(call) in _MOVES and isinstance(loop, ast.For) and _is_batch_part(program, loop, name)


def _is_batch_part(program: Program, loop: ast.For, name: str) -> bool:
    """Whether the name is unpacked from a batch: one of several loop targets, given to a network in the loop."""
    targets = [node for node in walk(loop.target) if isinstance(node, (ast.Tuple, ast.List))]
    unpacked = any(isinstance(part, ast.Name) and part.id == name for target in targets for part in target.elts)
    if not unpacked or method_of(loop.iter) in {"zip", "items", "named_parameters", "named_modules", "named_children"}:
        return False
    networks = network_names(program)
    return any(
        isinstance(call, ast.Call) and dotted(call.func) in networks and name in {dotted(part) for part in call.args}
        for call in walk_here(loop.body)
    )
