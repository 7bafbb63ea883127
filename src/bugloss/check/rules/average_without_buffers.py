"""average-without-buffers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.training_loops import loops_around
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import insert_block_after
from bugloss.source.networks.torch_classes import mode_dependent, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, walk


class AverageWithoutBuffers(Rule):
    """A moving average of a network leaves out its buffers.

    ## What it finds
    A copy of a network that is updated from ``parameters()`` or ``named_parameters()`` by ``lerp_``, ``mul_`` or
    ``copy_``, while nothing in the file copies ``buffers()`` or the ``state_dict()``, and batch normalization is
    used or the network is not known.

    ## Why it hurts
    The running mean and variance of batch normalization are buffers. The copy keeps those of its first moment, so
    it evaluates with statistics that do not fit its weights.

    ## Example
    ```python
    for slow, fast in zip(average.parameters(), model.parameters()):
        slow.lerp_(fast, 1 - decay)
    ```

    ## Use instead
    ```python
    for slow, fast in zip(average.parameters(), model.parameters()):
        slow.lerp_(fast, 1 - decay)
    for slow, fast in zip(average.buffers(), model.buffers()):
        slow.copy_(fast)
    ```

    ## Known problems
    Networks without batch normalization have no buffers that matter; a file whose networks are known to have none
    is not reported.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    PyTorch documentation of ``torch.optim.swa_utils.AveragedModel`` (``use_buffers``).
    """

    name = "average-without-buffers"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.NEURAL_CONNECTION
    groups = ("loop",)
    words = ("parameters()",)
    faulty = (
        """\
import copy
import torch
from torch import nn

class Average:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.module = copy.deepcopy(model).eval()

    @torch.no_grad()
    def update(self, model):
        for slow, fast in zip(self.module.parameters(), model.parameters()):
            slow.lerp_(fast, 1 - self.decay)
""",
        """\
import copy
import torch
from torch import nn

def block(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3), nn.BatchNorm2d(outputs), nn.ReLU())

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(block(3, 16), block(16, 32))

    def forward(self, x):
        return self.body(x).mean((2, 3))

net = Net()
average = copy.deepcopy(net)
with torch.no_grad():
    for slow, fast in zip(average.parameters(), net.parameters()):
        slow.mul_(0.99).add_(fast, alpha=0.01)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import copy
import torch
from torch import nn

class Average:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.module = copy.deepcopy(model).eval()

    @torch.no_grad()
    def update(self, model):
        for slow, fast in zip(self.module.parameters(), model.parameters()):
            slow.lerp_(fast, 1 - self.decay)
        for slow, fast in zip(self.module.buffers(), model.buffers()):
            slow.copy_(fast)
""",
    }
    clean = (
        """\
import copy
import torch
from torch import nn

class Average:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.module = copy.deepcopy(model).eval()

    @torch.no_grad()
    def update(self, model):
        for slow, fast in zip(self.module.parameters(), model.parameters()):
            slow.lerp_(fast, 1 - self.decay)
        for slow, fast in zip(self.module.buffers(), model.buffers()):
            slow.copy_(fast)
""",
        """\
import copy
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)

net = Net()
target = copy.deepcopy(net)
for slow, fast in zip(target.parameters(), net.parameters()):
    slow.data.copy_(0.01 * fast.data + 0.99 * slow.data)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("buffers(", "state_dict()", "use_buffers", "gamma", "GAMMA")) or not program.called(
            "deepcopy"
        ):
            return
        normalised = program.mentions(("BatchNorm",))
        if not normalised and torch_classes(program):
            return
        for call in program.called("lerp_", "copy_", "mul_", "add_"):
            loop = next(iter(loops_around(program, call)), None)
            read = (
                [part for part in walk(loop.iter) if method_of(part) in _PARAMETERS]
                if isinstance(loop, ast.For)
                else []
            )
            if read and mode_dependent(program) is not False:
                message = "the average covers parameters only: running statistics keep their first values"
                fix = suggested(_with_buffers(program, loop)) if isinstance(loop, ast.For) else None
                yield self.finding(program, loop or call, message, fix=fix)
                return


def _with_buffers(program: Program, loop: ast.For) -> Edit | None:
    """A second loop that copies the buffers; None where the first one does more than pair the parameters."""
    names = loop.target.elts if isinstance(loop.target, ast.Tuple) else []
    plain = len(names) == 2 and all(isinstance(name, ast.Name) for name in names) and method_of(loop.iter) == "zip"
    text = program.source.segment(loop.iter)
    if not plain or "named_parameters" in text or text.count("parameters()") != 2:
        return None
    slow, fast = (ast.unparse(name) for name in names)
    head = f"for {slow}, {fast} in {text.replace('parameters()', 'buffers()')}:"
    return insert_block_after(program, loop, (head, f"    {slow}.copy_({fast})"))


_PARAMETERS = {"parameters", "named_parameters"}
