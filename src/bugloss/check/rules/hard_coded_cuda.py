"""hard-coded-cuda."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of


class HardCodedCuda(Rule):
    """The program runs only on a machine with an NVIDIA GPU.

    ## What it finds
    ``.cuda()``, ``.to('cuda')`` or ``torch.device('cuda')`` in a file that never checks whether a GPU is available
    and has no option for the device.

    ## Why it hurts
    On a machine without such a GPU the program stops at once.

    ## Example
    ```python
    model.to("cuda")
    ```

    ## Use instead
    ```python
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    ```

    ## Known problems
    A file of a larger program may rely on a check elsewhere. Reported once per file.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation, CUDA semantics: device-agnostic code.
    """

    name = "hard-coded-cuda"
    severity = Severity.ADVICE
    category = Category.GPU
    fix_pattern = FixPattern.DEVICE
    groups = ("device",)
    words = ("cuda",)
    faulty = (
        """\
import torch
from torch import nn

model = nn.Linear(8, 2).cuda()
""",
    )
    clean = (
        """\
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(8, 2).to(device)
""",
        """\
import torch

def run(model, x, use_cuda):
    if use_cuda:
        model, x = model.cuda(), x.cuda()
    return model(x)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions(_ASKS):
            return
        for call in program.called("cuda", "to", "device"):
            if _names_cuda(program, call) and program.enclosing(call, ast.If, ast.IfExp, ast.Try) is None:
                message = f"{method_of(call)} requires a GPU, but the file never calls torch.cuda.is_available()"
                yield self.finding(program, call, message)
                return


_ASKS = (
    "is_available",
    "use_cuda",
    "no_cuda",
    "args.cuda",
    "args.gpu",
    "local_rank",
    "LOCAL_RANK",
    "device_count",
    "rank",
)


def _names_cuda(program: Program, call: ast.Call) -> bool:
    if method_of(call) == "cuda":
        return not call.args and isinstance(call.func, ast.Attribute)
    if method_of(call) != "to" and program.names.qualified(call.func) != "torch.device":
        return False
    text = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
    return isinstance(text, str) and text.startswith("cuda")
