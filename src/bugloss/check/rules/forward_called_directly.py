"""forward-called-directly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import made_networks
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, receiver_of


class ForwardCalledDirectly(Rule):
    """A network's forward method is called directly.

    ## What it finds
    ``network.forward(x)`` on a network or layer that the file creates.

    ## Why it hurts
    Hooks do not run. Profilers, feature extractors, spectral and weight normalisation, quantisation and data-parallel
    wrappers rely on them.

    ## Example
    ```python
    prediction = model.forward(x)
    ```

    ## Use instead
    ```python
    prediction = model(x)
    ```

    ## Known problems
    Without hooks the result is the same, so this is advice; it is a warning where the file registers forward hooks.

    ## Fix safety
    Suggested: hooks run afterwards.

    ## References
    PyTorch documentation, Module.forward (note on calling the instance).
    """

    name = "forward-called-directly"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("model",)
    words = ("forward", "torch")
    faulty = (
        """\
import torch.nn as nn

model = nn.Linear(8, 2)

def predict(x):
    return model.forward(x)
""",
    )
    clean = (
        """\
import torch.nn as nn

class Base(nn.Module):
    def forward(self, x):
        return x

class Net(Base):
    def forward(self, x):
        return super().forward(x) + 1
""",
        """\
import torch

def run(client, message):
    return client.forward(message)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch.nn as nn

model = nn.Linear(8, 2)

def predict(x):
    return model(x)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        hooked = program.mentions(("register_forward", "spectral_norm", "weight_norm"))
        networks = made_networks(program) if program.called("forward") else {}
        for call in program.called("forward"):
            name = dotted(receiver_of(call))
            if name in networks:
                message = f"{name}.forward() skips the hooks of {name}: call {name}() instead"
                severity = Severity.WARNING if hooked else Severity.ADVICE
                fix = replace_node(program, call.func, name, "call the network instead")
                yield self.finding(program, call, message, fix=fix, severity=severity)
