"""optimizer-of-another-model."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.local_functions import scope_of
from bugloss.source.networks.torch_classes import made_networks
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, dotted, receiver_of, walk, walk_here
from bugloss.source.training.gradient_steps import GradientBlock, gradient_blocks, made_by


class OptimizerOfAnotherModel(Rule):
    """The optimizer trains another network than the one that runs.

    ## What it finds
    A loop in which only one network computes the loss, while the only optimizer of the function was made from the
    parameters of another network.

    ## Why it hurts
    The network that runs gets gradients but is never changed; the optimizer steps parameters without gradients.

    ## Example
    ```python
    optimizer = SGD(old.parameters(), lr=0.1)
    for x, y in loader:
        criterion(new(x), y).backward()
        optimizer.step()
    ```

    ## Use instead
    ```python
    optimizer = SGD(new.parameters(), lr=0.1)
    ```

    ## Known problems
    Networks that contain each other are left alone.

    ## Fix safety
    No edit.

    ## References
    PyTorch documentation, torch.optim: Constructing it.
    """

    name = "optimizer-of-another-model"
    severity = Severity.ERROR
    category = Category.API
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("optimizer",)
    words = ("optim",)
    faulty = (
        """\
import torch
from torch import nn

def run(loader, criterion):
    first = nn.Linear(8, 2)
    second = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(first.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(second(x), y).backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import torch
from torch import nn

class Both(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)

def run(loader, criterion):
    first = nn.Linear(8, 2)
    second = Both(first)
    optimizer = torch.optim.SGD(first.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(second(x), y).backward()
        optimizer.step()
""",
        """\
import torch
from torch import nn

def run(loader, criterion):
    encoder = nn.Linear(8, 2)
    decoder = nn.Linear(2, 8)
    optimizer = torch.optim.SGD(decoder.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        criterion(decoder(encoder(x)), x).backward()
        optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        makers = made_by(program, "optimizer")
        networks = made_networks(program)
        made_in = Counter(scope_of(program, node) for node, _, _ in makers)
        for node, optimizer, call in makers:
            scope = scope_of(program, node)
            trained = {dotted(receiver_of(inner)) for inner in calls_in(call, "parameters")}
            if len(trained) != 1 or not trained <= networks.keys() or made_in[scope] != 1:
                continue
            for block in gradient_blocks(program):
                if isinstance(block.owner, ast.For) and scope_of(program, block.owner) is scope:
                    running = _running(block.owner, networks) if _steps(block, optimizer) else set()
                    if len(running) == 1 and not running & trained and not _related(program, scope, *running, *trained):
                        (run,) = running
                        message = f"{optimizer} trains {', '.join(trained)}, but the loss comes from {run}"
                        receiver = next(receiver_of(inner) for inner in calls_in(call, "parameters"))
                        edit = replace_node(program, receiver, run) if receiver is not None else None
                        yield self.finding(program, call, message, fix=suggested(edit))
                        break


def _steps(block: GradientBlock, optimizer: str) -> bool:
    return bool(block.of("backward")) and any(step.receiver == optimizer for step in block.of("optimizer"))


def _running(loop: ast.For, networks: dict[str, str]) -> set[str]:
    return {dotted(call.func) for call in walk_here(loop.body) if isinstance(call, ast.Call)} & networks.keys()


def _related(program: Program, scope: ast.AST, first: str, second: str) -> bool:
    """Whether one of the networks is assigned from, or mentioned together with, the other."""
    body = scope.body if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)) else []
    roots = {first.split(".")[0], second.split(".")[0]}
    for node in walk_here(body):
        if (
            isinstance(node, (ast.Assign, ast.Call))
            and len(roots & {n.id for n in walk(node) if isinstance(n, ast.Name)}) == 2
        ):
            return True
    return len(roots) == 1
