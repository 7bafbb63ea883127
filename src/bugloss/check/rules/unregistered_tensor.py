"""unregistered-tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.fresh_tensors import fresh_tensor, moves_networks
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import TorchClass, methods_of_forward, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, keyword_of, method_of, walk, walk_here


class UnregisteredTensor(Rule):
    """A tensor attribute of a module is neither a buffer nor a parameter.

    ## What it finds
    A tensor that ``__init__`` of a module creates and stores as a plain attribute, and that ``forward`` uses without
    moving it.

    ## Why it hurts
    ``to()`` and ``cuda()`` do not move it, so the forward pass fails as soon as the network runs on another device.
    It is also missing from ``state_dict()``, so a random tensor is lost on saving.

    ## Example
    ```python
    self.noise = torch.randn(8)
    ```

    ## Use instead
    ```python
    self.register_buffer("noise", torch.randn(8))
    ```

    ## Known problems
    Advice if the file moves no network and the tensor is not random.

    ## Fix safety
    Suggested: the tensor becomes a key of the state dict.

    ## References
    PyTorch documentation, Module.register_buffer; Stack Overflow 54706146.
    """

    name = "unregistered-tensor"
    severity = Severity.WARNING
    category = Category.GPU
    fix_pattern = FixPattern.DEVICE
    groups = ("model", "device")
    words = ("Module",)
    faulty = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.noise = torch.randn(8)

    def forward(self, x):
        return self.layer(x) + self.noise
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.randn(8, 2, requires_grad=True)

    def forward(self, x):
        return x @ self.weight
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.register_buffer("noise", torch.randn(8))
        self.scale = nn.Parameter(torch.ones(8))
        self.mean = torch.zeros(8)
        self.placed = torch.zeros(8, device=device)
        self.order = torch.randperm(8)

    def forward(self, x):
        return self.scale * x[:, self.order] + self.noise - self.mean.to(x.device) + self.placed
""",
        """\
import torch
from torch import nn

class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.state = torch.zeros(8)
        self.rates = torch.linspace(0, 0.1, 5).tolist()

    def forward(self, x):
        self.state = x.mean(0)
        return x - self.state * self.rates[0]
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.register_buffer("noise", torch.randn(8))

    def forward(self, x):
        return self.layer(x) + self.noise
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for class_ in torch_classes(program).values():
            initialiser = class_.methods.get("__init__")
            if initialiser is None or not initialiser.args.args:
                continue
            for node in initialiser.body:
                name = fresh_tensor(program, node.value) if isinstance(node, ast.Assign) else None
                if name is None or not isinstance(node, ast.Assign) or len(node.targets) != 1:
                    continue
                attribute = dotted(node.targets[0])
                if attribute.startswith(f"{initialiser.args.args[0].arg}.") and _is_left_behind(
                    program, class_, attribute
                ):
                    yield self._report_tensor(program, node, attribute, name)

    def _report_tensor(self, program: Program, node: ast.Assign, attribute: str, maker: str) -> Finding:
        calls = [part for part in walk(node.value) if isinstance(part, ast.Call)]
        if any(is_constant(keyword_of(call, "requires_grad"), True) for call in calls):
            message = f"{attribute} requires gradients but is not an nn.Parameter, so no optimizer trains it"
            return self.finding(program, node, message)
        matters = moves_networks(program) or maker.startswith("rand")
        message = f"{attribute} is a plain tensor: to() and state_dict() do not include it"
        severity = Severity.WARNING if matters else Severity.ADVICE
        this, _, short = attribute.partition(".")
        text = f'{this}.register_buffer("{short}", {program.source.segment(node.value)})'
        fix = replace_node(program, node, text, "register it as a buffer")
        return self.finding(program, node, message, fix=fix, severity=severity)


_HARMLESS = {
    "to",
    "cuda",
    "type_as",
    "device",
    "shape",
    "size",
    "item",
    "tolist",
    "numel",
    "dtype",
    "numpy",
    "dim",
    "ndim",
}


def _is_left_behind(program: Program, class_: TorchClass, attribute: str) -> bool:
    """Whether the forward pass computes with the attribute, and nothing assigns or moves it elsewhere."""
    used = False
    forward = {node for method in methods_of_forward(class_) for node in walk_here(method.body)}
    written = 0
    for node in walk(class_.node):
        if not isinstance(node, ast.Attribute) or dotted(node) != attribute:
            continue
        if isinstance(node.ctx, ast.Store):
            written += 1
        elif _moved(program, node):
            return False
        used = used or (node in forward and _computes(program, node))
    return used and written == 1


def _moved(program: Program, node: ast.Attribute) -> bool:
    parent = program.parents.get(node)
    return isinstance(parent, ast.Attribute) and parent.attr in {"to", "cuda", "type_as", "data"}


def _computes(program: Program, node: ast.Attribute) -> bool:
    """Operands of arithmetic and of calls count; indices may stay on the CPU."""
    parent = program.parents.get(node)
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _HARMLESS
    if isinstance(parent, ast.Call):
        return method_of(parent) not in {"len", "print", "range", "enumerate", "int", "float", "zip", "isinstance"}
    return isinstance(parent, ast.BinOp)
