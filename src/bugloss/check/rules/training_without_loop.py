"""training-without-loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program


class TrainingWithoutLoop(Rule):
    """Training consists of a single step.

    ## What it finds
    A PyTorch script that computes gradients and steps an optimizer once, at the top level of a file without any
    loop.

    ## Why it hurts
    Training takes thousands of steps. One step changes the weights by about the learning rate, so the network is
    practically untrained.

    ## Example
    ```python
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    ```

    ## Use instead
    ```python
    for epoch in range(100):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    ```

    ## Known problems
    Tutorials show single steps on purpose. Steps inside functions are not reported, because a loop elsewhere may call
    them.

    ## Fix safety
    No fix is offered: the number of steps has to be chosen.

    ## References
    NeuraLint (Nikanjam et al., 2021), no main loop.
    """

    name = "training-without-loop"
    severity = Severity.ADVICE
    category = Category.TRAINING
    fix_pattern = FixPattern.ITERATIONS
    groups = ("neuralint", "style")
    words = ("backward",)
    faulty = (
        """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(8, 4)).pow(2).mean()
loss.backward()
optimizer.step()
""",
    )
    clean = (
        """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    optimizer.step()
""",
        """\
import torch

def train_step(model, optimizer, loss):
    loss.backward()
    optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.nodes[ast.For] or program.nodes[ast.While] or program.nodes[ast.AsyncFor]:
            return
        steps = [operation for operation in program.calls("Optimizer.step") if not operation.inside]
        if len(steps) == 1 and any(not operation.inside for operation in program.methods("backward")):
            yield self.finding(program, steps[0].node, "the optimizer takes a single step, outside of any loop")
