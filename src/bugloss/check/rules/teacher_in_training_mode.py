"""teacher-in-training-mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.training_loops import loops_around, trains
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import insert_before
from bugloss.source.networks.torch_classes import mode_dependent
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, last_part, receiver_of, written


class TeacherInTrainingMode(Rule):
    """A teacher network answers in training mode.

    ## What it finds
    A network named teacher (or ``frozen``, ``pretrained``) that is called in a training loop under PyTorch, while
    nothing in the file calls its ``eval()``, and layers that depend on the mode are in use.

    ## Why it hurts
    With dropout the teacher gives another answer each time, and its batch normalization follows the batches: the
    student learns from a teacher that is worse than it was.

    ## Example
    ```python
    with torch.no_grad():
        soft = teacher(x)
    ```

    ## Use instead
    ```python
    teacher.eval()
    with torch.no_grad():
        soft = teacher(x)
    ```

    ## Known problems
    A teacher that is a moving average is often left in training mode on purpose; it is not reported when it is
    updated in the file.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation of ``Module.eval``.
    """

    name = "teacher-in-training-mode"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("teacher",)
    faulty = (
        """\
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.Dropout(0.3), nn.Linear(width, 3))

    def forward(self, x):
        return self.layers(x)

def distill(student, teacher, loader, optimizer):
    for x, y in loader:
        with torch.no_grad():
            soft = teacher(x)
        loss = F.mse_loss(student(x), soft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.Dropout(0.3), nn.Linear(width, 3))

    def forward(self, x):
        return self.layers(x)

def distill(student, teacher, loader, optimizer):
    teacher.eval()
    for x, y in loader:
        with torch.no_grad():
            soft = teacher(x)
        loss = F.mse_loss(student(x), soft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
    }
    clean = (
        """\
import torch
from torch import nn
import torch.nn.functional as F

net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.3), nn.Linear(8, 3))

def distill(student, teacher, loader, optimizer):
    teacher.eval()
    for x, y in loader:
        with torch.no_grad():
            soft = teacher(x)
        loss = F.mse_loss(student(x), soft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or not program.mentions(("Dropout", "BatchNorm", "dropout")):
            return
        if mode_dependent(program) is False or program.mentions(("lerp_", "momentum_update", "ema")):
            return
        if any("teacher" in last_part(receiver_of(call)) for call in program.called("eval", "train")):
            return
        for call in program.nodes[ast.Call]:
            if not isinstance(call, ast.Call):
                continue
            name = last_part(call.func) if dotted(call.func) else ""
            loops = loops_around(program, call)
            if name in _TEACHERS and loops and trains(program, loops[-1]):
                message = f"{name} is never switched to evaluation mode: call {name}.eval() before the loop"
                statement = loops[-1]
                edit = insert_before(program, statement, f"{written(call.func)}.eval()")
                yield self.finding(program, call, message, fix=suggested(edit))
                return


_TEACHERS = {"teacher", "teacher_model", "teacher_net", "teacher_network", "frozen_model", "reference_model"}
