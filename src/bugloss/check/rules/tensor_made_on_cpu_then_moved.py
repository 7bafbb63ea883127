"""tensor-made-on-cpu-then-moved."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.fresh_tensors import fresh_tensor
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, last_part, method_of, receiver_of


class TensorMadeOnCpuThenMoved(Rule):
    """A tensor is created on the CPU and then copied to the device.

    ## What it finds
    ``torch.zeros(…).to(device)``, ``torch.randn(…).cuda()`` and the like.

    ## Why it hurts
    The CPU fills the tensor and copies it over the bus, while the GPU waits. Creating it on the device is much
    cheaper.

    ## Example
    ```python
    noise = torch.randn(64, 100).to(device)
    ```

    ## Use instead
    ```python
    noise = torch.randn(64, 100, device=device)
    ```

    ## Known problems
    Random numbers of the two devices differ for the same seed.

    ## Fix safety
    Suggested: random values change.

    ## References
    PyTorch documentation, Performance Tuning Guide: create tensors directly on the target device.
    """

    name = "tensor-made-on-cpu-then-moved"
    severity = Severity.ADVICE
    category = Category.GPU
    fix_pattern = FixPattern.PERFORMANCE
    groups = ("performance", "device")
    words = (".to(", ".cuda(")
    faulty = (
        """\
import torch

def noise(device):
    return torch.randn(64, 100).to(device)

def others(x):
    return x.to("cpu")
""",
    )
    clean = (
        """\
import torch

def noise(device, x):
    noise = torch.randn(64, 100, device=device) + torch.zeros(100).to(x)
    return noise + torch.ones(100).to(torch.float64) + x.to(device)
""",
        """\
import torch

def data(values, device):
    return torch.tensor(values).to(device)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def noise(device):
    return torch.randn(64, 100, device=device)

def others(x):
    return x.to("cpu")
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks:
            return
        for call in program.called("to", "cuda"):
            if len(call.args) > 1 or call.keywords:
                continue
            made, device = receiver_of(call), _device(program, call)
            if not isinstance(made, ast.Call) or device is None or isinstance(receiver_of(made), ast.Call):
                continue
            name = fresh_tensor(program, made)
            if name is not None and name != "tensor":
                message = f"torch.{name} fills the tensor on the CPU before it is copied to {device}"
                text = f"{program.source.segment(made)[:-1].rstrip().rstrip(',')}, device={device})"
                yield self.finding(
                    program, call, message, fix=replace_node(program, call, text, "create it on the device")
                )


def _device(program: Program, call: ast.Call) -> str | None:
    """How the device is written, when the argument is certain to be one."""
    if method_of(call) == "cuda":
        return '"cuda"' if not call.args else None
    argument = call.args[0] if call.args else None
    text = argument.value if isinstance(argument, ast.Constant) else None
    if isinstance(text, str) and text.startswith(("cuda", "mps")):
        return f'"{text}"'
    return dotted(argument) if "device" in last_part(argument).lower() else None
