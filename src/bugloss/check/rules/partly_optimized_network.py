"""partly-optimized-network."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import TorchClass, is_parametric, made_networks, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, dotted, method_of, receiver_of, walk
from bugloss.source.training.gradient_steps import made_by


class PartlyOptimizedNetwork(Rule):
    """An optimizer gets only one part of a network, and the other parts are never trained.

    ## What it finds
    ``Adam(model.decoder.parameters())`` for a network class of the file that has other parts with weights, where
    nothing is frozen, nothing is loaded, and no other optimizer or list of parameters mentions them.

    ## Why it hurts
    The other parts keep their random weights, and the loss stops falling far too high.

    ## Example
    ```python
    optimizer = torch.optim.Adam(model.decoder.parameters(), lr=1e-3)
    ```

    ## Use instead
    ```python
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    ```

    ## Known problems
    A part that is kept at random on purpose is reported too.

    ## Fix safety
    Suggested: all parameters are passed.

    ## References
    PyTorch documentation, torch.optim: per-parameter options.
    """

    name = "partly-optimized-network"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.OPTIMIZER
    groups = ("optimizer",)
    words = (".parameters()",)
    faulty = (
        """\
import torch
from torch import nn

class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 4), nn.ReLU())
        self.decoder = nn.Linear(4, 8)

    def forward(self, x):
        return self.decoder(self.encoder(x))

model = Coder()
optimizer = torch.optim.Adam(model.decoder.parameters(), lr=0.001)
for x in loader:
    optimizer.zero_grad()
    ((model(x) - x) ** 2).mean().backward()
    optimizer.step()
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 4), nn.ReLU())
        self.decoder = nn.Linear(4, 8)
        self.active = nn.ReLU()

    def forward(self, x):
        return self.decoder(self.encoder(x))

model = Coder()
first = torch.optim.Adam(model.decoder.parameters(), lr=0.001)
second = torch.optim.Adam(model.encoder.parameters(), lr=0.001)
""",
        """\
import torch
from torch import nn

class Tuned(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(4, 8)

    def forward(self, x):
        return self.head(self.backbone(x))

model = Tuned(load())
optimizer = torch.optim.Adam(model.head.parameters(), lr=0.001)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.mentions(("requires_grad", "load_state_dict", "pretrained", "weights=", "torch.load", "freeze")):
            return
        makers = made_by(program, "optimizer")
        named = {dotted(receiver_of(call)) for call in program.called("parameters", "named_parameters")}
        for _, _, call in makers:
            for inner in calls_in(call, "parameters"):
                owner, _, part = dotted(receiver_of(inner)).rpartition(".")
                class_ = torch_classes(program).get(made_networks(program).get(owner, ""))
                if class_ is None or owner in named:
                    continue
                left = [name for name in _parts(program, class_) if f"{owner}.{name}" not in named]
                if left and part in _parts(program, class_):
                    message = f"the optimizer gets {owner}.{part} only: {', '.join(left)} of {owner} is never trained"
                    given = receiver_of(inner)
                    fix = replace_node(program, given, owner, "train the whole network") if given is not None else None
                    yield self.finding(program, inner, message, fix=fix)


def _parts(program: Program, class_: TorchClass) -> list[str]:
    """Attributes of a network that hold weights, as far as its constructor shows."""
    start = class_.methods.get("__init__")
    found = []
    for node in walk(start) if start is not None else ():
        name = dotted(node.targets[0]) if isinstance(node, ast.Assign) else ""
        if isinstance(node, ast.Assign) and name.startswith("self.") and name.count(".") == 1:
            made = [method_of(one) for one in walk(node.value) if isinstance(one, ast.Call)]
            if any(is_parametric(short) or short in torch_classes(program) for short in made):
                found.append(name.removeprefix("self."))
    return found
