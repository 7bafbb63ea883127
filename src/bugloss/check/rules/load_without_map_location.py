"""load-without-map-location."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.fresh_tensors import moves_networks
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import add_argument
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, spreads


class LoadWithoutMapLocation(Rule):
    """A checkpoint is loaded without ``map_location``.

    ## What it finds
    ``torch.load`` without ``map_location`` in a file that uses devices.

    ## Why it hurts
    A checkpoint that was saved on ``cuda:3`` is loaded onto ``cuda:3``. On a machine without that device the program
    stops, and in distributed runs all processes load onto one GPU.

    ## Example
    ```python
    state = torch.load("model.pt", weights_only=True)
    ```

    ## Use instead
    ```python
    state = torch.load("model.pt", map_location=device, weights_only=True)
    ```

    ## Known problems
    Checkpoints saved from the CPU load anywhere.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation, torch.load: map_location.
    """

    name = "load-without-map-location"
    severity = Severity.ADVICE
    category = Category.GPU
    fix_pattern = FixPattern.DEVICE
    groups = ("device",)
    words = ("load",)
    faulty = (
        """\
import torch

def restore(model, device):
    model.to(device)
    model.load_state_dict(torch.load("model.pt", weights_only=True))
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

def restore(model, device):
    model.to(device)
    model.load_state_dict(torch.load("model.pt", weights_only=True, map_location="cpu"))
""",
    }
    clean = (
        """\
import torch

def restore(model, device):
    model.to(device)
    model.load_state_dict(torch.load("model.pt", device, weights_only=True))
    model.load_state_dict(torch.load("model.pt", map_location=device, weights_only=True))
""",
        """\
import torch

def restore(model):
    model.load_state_dict(torch.load("model.pt", weights_only=True))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not moves_networks(program):
            return
        for call in program.called("load"):
            if program.names.qualified(call.func) != "torch.load" or spreads(call):
                continue
            if len(call.args) < 2 and keyword_of(call, "map_location") is None:
                message = "the checkpoint is loaded onto the device of its tensors: pass map_location"
                fix = suggested(add_argument(program, call, 'map_location="cpu"'))
                yield self.finding(program, call, message, fix=fix)
