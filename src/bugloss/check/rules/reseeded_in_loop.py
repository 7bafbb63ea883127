"""reseeded-in-loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, move_before
from bugloss.check.views.training_loops import loops_around, makes_model, trains
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import LoopNode, loads, stored, targets_of, walk, walk_here

_SEEDS = {
    "torch.manual_seed", "torch.cuda.manual_seed", "torch.cuda.manual_seed_all", "numpy.random.seed", "random.seed",
    "tensorflow.random.set_seed", "tensorflow.set_random_seed", "keras.utils.set_random_seed",
}  # fmt: skip
_PER_SAMPLE = {"__getitem__", "forward", "call", "training_step"}
_MESSAGE = "the seed is set again in each {}: the same random numbers come every time"


class ReseededInLoop(Rule):
    """The random numbers start again in every iteration of training.

    ## What it finds
    A seed that is set to the same number inside a loop that trains a network made outside of it, or in ``__getitem__``
    or ``forward``.

    ## Why it hurts
    Every epoch or sample gets the same "random" numbers: the same order of samples, the same dropout masks, the same
    augmentation.

    ## Example
    ```python
    for epoch in range(epochs):
        torch.manual_seed(0)
        train(model)
    ```

    ## Use instead
    ```python
    torch.manual_seed(0)
    for epoch in range(epochs):
        train(model)
    ```

    ## Known problems
    A loop that makes a new network in each iteration compares settings and is not reported.

    ## Fix safety
    Suggested: the line moves before the loop.

    ## References
    PyTorch documentation, "Reproducibility".
    """

    name = "reseeded-in-loop"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.SEED
    groups = ("loop", "reproducibility")
    words = ("seed",)
    faulty = (
        """\
import torch

def run(model, loader, criterion, optimizer):
    for epoch in range(10):
        torch.manual_seed(0)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
        """\
import numpy as np
import torch
from torch.utils.data import Dataset

class Samples(Dataset):
    def __getitem__(self, index):
        np.random.seed(7)
        return self.x[index] + np.random.randn(3)
""",
    )
    clean = (
        """\
import torch
from torch import nn

def compare(rates, loader, criterion):
    for rate in rates:
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 1))
        optimizer = torch.optim.SGD(model.parameters(), lr=rate)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
        """\
import torch

def run(model, train):
    for epoch in range(10):
        torch.manual_seed(epoch)
        loss = train(model)
        loss.backward()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("manual_seed", "seed", "set_seed", "set_random_seed", "manual_seed_all"):
            statement = program.parents.get(call)
            if program.names.qualified(call.func) not in _SEEDS or not isinstance(statement, ast.Expr):
                continue
            loops = loops_around(program, call)
            function = program.enclosing(call, ast.FunctionDef)
            if loops and not _varies(call, loops) and trains(program, loops[0].body):
                if not makes_model(program, loops[0].body):
                    fix = move_before(program, statement, loops[-1], "seed once, before the loop")
                    yield self.finding(program, call, _MESSAGE.format("iteration"), fix=fix)
            elif isinstance(function, ast.FunctionDef) and function.name in _PER_SAMPLE and not loads(call.args):
                yield self.finding(program, call, _MESSAGE.format("call"))


def _varies(call: ast.Call, loops: list[LoopNode]) -> bool:
    """Whether the seed depends on something that the loops change."""
    changed = {name for loop in loops for node in (loop, *walk_here(loop.body)) for name in _bound(node)}
    return bool(loads(call.args) & changed) or any(
        isinstance(node, ast.Call) for arg in call.args for node in walk(arg)
    )


def _bound(node: ast.AST) -> set[str]:
    targets = [node.target] if isinstance(node, ast.For) else targets_of(node)
    return {name for target in targets for name in stored(target)}
