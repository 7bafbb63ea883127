"""missing-eval-mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.evaluation import Inference, inferences
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import insert_before
from bugloss.source.local_functions import around, scope_of
from bugloss.source.networks.torch_classes import mode_dependent
from bugloss.source.program import Program
from bugloss.source.training.gradient_steps import GradientStep, gradient_steps


class MissingEvalMode(Rule):
    """A network with dropout or batch normalisation is evaluated in training mode.

    ## What it finds
    Code under ``torch.no_grad()`` or ``torch.inference_mode()`` that runs a network over data, while neither its
    function nor any function that uses it calls ``eval()``, and the network has dropout or batch normalisation.

    ## Why it hurts
    Dropout keeps deleting activations and batch normalisation keeps using, and changing, the statistics of the
    batch at hand. The measured quality is too low, changes from call to call, and the test data leak into the
    running statistics.

    ## Example
    ```python
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    ```

    ## Use instead
    ```python
    model.eval()
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    model.train()
    ```

    ## Known problems
    Monte-Carlo dropout does this on purpose. Networks that other files define are left alone.

    ## Fix safety
    Suggested: training mode must be restored afterwards.

    ## References
    PyTorch documentation, Module.eval and Locally disabling gradient computation; PyTorch issue 76383.
    """

    name = "missing-eval-mode"
    severity = Severity.WARNING
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("no_grad", "inference_mode")
    faulty = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 2))

    def forward(self, x):
        return self.layers(x)

def accuracy(model, loader):
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x).argmax(1) == y).sum().item()
    return correct

def main(train_loader, test_loader):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    print(accuracy(model, test_loader))
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 2))

    def forward(self, x):
        return self.layers(x)

def accuracy(model, loader):
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x).argmax(1) == y).sum().item()
    return correct

def main(train_loader, test_loader):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    print(accuracy(model, test_loader))
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)

def main(train_loader, test_loader):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        for x, y in test_loader:
            print((model(x).argmax(1) == y).sum().item())
""",
        """\
import torch
from torch import nn

class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 2))

    def forward(self, x):
        return self.layers(x)

def main(batches):
    model, target = Critic(), Critic()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for state, reward, following in batches:
        with torch.no_grad():
            wanted = reward + 0.9 * target(following).max(1).values
        optimizer.zero_grad()
        nn.functional.mse_loss(model(state).max(1).values, wanted).backward()
        optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or not any(step.role == "backward" for step in gradient_steps(program)):
            return
        switched = {scope_of(program, step.call) for step in gradient_steps(program) if _switches(step)}
        for inference in inferences(program):
            if not inference.over_data or switched & around(program, inference.scope):
                continue
            name = inference.network
            if mode_dependent(program, name) is True:
                message = (
                    f"{name} is evaluated in training mode: eval() is never called, though it has dropout or batch norm"
                )
                yield self.finding(program, inference.call, message, fix=_evaluated(program, inference))


def _evaluated(program: Program, inference: Inference) -> Fix | None:
    """``eval()`` before the loop or block that the network runs in, in the same function."""
    start = program.enclosing(inference.call, ast.stmt)
    while isinstance(outer := program.parents.get(start) if start else None, ast.For | ast.While | ast.With):
        start = outer
    if not isinstance(start, ast.stmt) or isinstance(start, ast.FunctionDef):
        return None
    return suggested(insert_before(program, start, f"{inference.network}.eval()"))


def _switches(step: GradientStep) -> bool:
    return step.role == "eval" or (step.role == "train" and bool(step.call.args or step.call.keywords))
