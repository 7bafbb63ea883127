"""missing-seed."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.networks.torch_classes import made_networks
from bugloss.source.program import Program
from bugloss.source.training.gradient_steps import gradient_steps, made_by


class MissingSeed(Rule):
    """A training script sets no random seed.

    ## What it finds
    A script that trains a network and calls no seed function of PyTorch, Lightning, Transformers or its own.

    ## Why it hurts
    Initial weights, shuffling and dropout differ from run to run, so results cannot be reproduced or compared.

    ## Example
    ```python
    model = Net()
    ```

    ## Use instead
    ```python
    torch.manual_seed(0)
    model = Net()
    ```

    ## Known problems
    A seed that another file sets is not found.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation, Reproducibility; dslinter rules on randomness.
    """

    name = "missing-seed"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.SEED
    groups = ("reproducibility",)
    words = ("backward",)
    faulty = (
        """\
import torch
from torch import nn

model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    optimizer.zero_grad()
    model(torch.randn(4, 8)).sum().backward()
    optimizer.step()
""",
    )
    clean = (
        """\
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    optimizer.zero_grad()
    model(torch.randn(4, 8)).sum().backward()
    optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions(("seed",)):
            return
        trains = any(step.role == "backward" for step in gradient_steps(program))
        makers = made_by(program, "optimizer")
        is_script = "__main__" in program.source.text or any(
            scope_of(program, node) is program.tree for node, _, _ in makers
        )
        if trains and is_script and makers and made_networks(program):
            message = "no random seed is set, so every run of this script gives a different result"
            yield self.finding(program, makers[0][2], message)
