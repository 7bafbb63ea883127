"""tensor-made-without-device."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, add_argument
from bugloss.check.views.fresh_tensors import fresh_tensor, meets_input, moves_networks, placed_later
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import is_parametric, methods_of_forward, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import receiver_of, walk_here


class TensorMadeWithoutDevice(Rule):
    """The forward pass creates a tensor on the CPU, whatever device the network is on.

    ## What it finds
    ``torch.zeros``, ``ones``, ``randn``, ``arange`` and the like in ``forward`` (or a method that it calls) without
    ``device``, where the result is combined with the input or goes into a layer and is not moved before.

    ## Why it hurts
    On a GPU the network fails with 'Expected all tensors to be on the same device', or copies the tensor in every
    pass.

    ## Example
    ```python
    hidden = torch.zeros(x.size(0), 16)
    ```

    ## Use instead
    ```python
    hidden = torch.zeros(x.size(0), 16, device=x.device)
    ```

    ## Known problems
    Advice if the file moves no network to a device.

    ## Fix safety
    Suggested: the fix uses the device of the first argument of ``forward``.

    ## References
    PyTorch documentation, CUDA semantics: best practices, device-agnostic code.
    """

    name = "tensor-made-without-device"
    severity = Severity.WARNING
    category = Category.GPU
    fix_pattern = FixPattern.DEVICE
    groups = ("device",)
    words = ("forward",)
    faulty = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.RNNCell(8, 16)

    def forward(self, x):
        hidden = torch.zeros(x.size(0), 16)
        return self.cell(x, hidden)
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(16, 16)

    def forward(self, x):
        first = torch.zeros(x.size(0), 16, device=x.device)
        second = torch.zeros(x.size(0), 16).to(x)
        third = torch.zeros(16)
        third = third.to(x.device)
        rows = torch.arange(x.size(0))
        if torch.rand(1) < 0.5:
            return x * torch.rand(1).item()
        return x[rows] + first + second + third + torch.zeros_like(x) + torch.tensor(0.5)
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(8))

    def forward(self, x):
        return x * self.weight

def sample(count):
    return torch.randn(count, 8)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.RNNCell(8, 16)

    def forward(self, x):
        hidden = torch.zeros(x.size(0), 16, device=x.device)
        return self.cell(x, hidden)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("set_default_device", "set_default_tensor_type")):
            return
        severity = Severity.WARNING if moves_networks(program) else Severity.ADVICE
        for class_ in torch_classes(program).values():
            if not any(is_parametric(name.rsplit(".", 1)[-1]) for name in class_.makes):
                continue  # transforms run where the data are
            for method in methods_of_forward(class_):
                for call in walk_here(method.body):
                    name = fresh_tensor(program, call) if isinstance(call, ast.Call) else None
                    if name is None or not isinstance(call, ast.Call) or isinstance(receiver_of(call), ast.Call):
                        continue
                    if meets_input(program, method, call) and not placed_later(program, method, call):
                        message = f"torch.{name} in {class_.name}.{method.name} creates a CPU tensor: pass device"
                        fix = _fix(program, method, call)
                        yield self.finding(program, call, message, fix=fix, severity=severity)


def _fix(program: Program, method: ast.FunctionDef, call: ast.Call) -> Fix | None:
    arguments = [argument.arg for argument in method.args.args[1:]]
    if method.name != "forward" or not arguments:
        return None
    return add_argument(program, call, f"device={arguments[0]}.device", "create it on the device of the input")
