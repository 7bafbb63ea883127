"""first-batch-only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.training_loops import loops_around
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, dotted, method_of
from bugloss.source.training.data_loaders import data_loaders


class FirstBatchOnly(Rule):
    """Every step trains on the first batch of a loader.

    ## What it finds
    ``next(iter(loader))`` inside a loop that runs a backward pass, where the loader does not shuffle.

    ## Why it hurts
    A new iterator starts at the beginning, so the network sees the same batch in each step and never the rest of the
    data. With worker processes each step also starts them again.

    ## Example
    ```python
    for step in range(1000):
        x, y = next(iter(loader))
    ```

    ## Use instead
    ```python
    batches = iter(loader)
    for step in range(1000):
        x, y = next(batches)
    ```

    ## Known problems
    A loader that is known to shuffle gives a random batch each time and is not reported.

    ## Fix safety
    No fix is offered: what to do at the end of the data is up to the author.

    ## References
    PyTorch documentation, torch.utils.data: iterators.
    """

    name = "first-batch-only"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("loop", "data")
    words = ("next(iter(",)
    faulty = (
        """\
import torch
from torch.utils.data import DataLoader

def train(model, data, criterion, optimizer):
    loader = DataLoader(data, batch_size=8)
    for step in range(1000):
        x, y = next(iter(loader))
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import torch
from torch.utils.data import DataLoader

def train(model, data, criterion, optimizer):
    loader = DataLoader(data, batch_size=8, shuffle=True)
    x, y = next(iter(DataLoader(data)))
    for step in range(1000):
        x, y = next(iter(loader))
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    x, y = next(iter(loader))
    for step in range(100):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        unshuffled = {loader.name for loader in data_loaders(program) if not loader.ordered_by_caller}
        shuffled = {loader.name for loader in data_loaders(program) if loader.ordered_by_caller}
        for call in program.called("next"):
            inner = call.args[0] if len(call.args) == 1 and method_of(call) == "next" else None
            if not (isinstance(inner, ast.Call) and method_of(inner) == "iter" and len(inner.args) == 1):
                continue
            name = dotted(inner.args[0])
            loops = loops_around(program, call)
            if name in unshuffled - shuffled and loops and calls_in(loops[0].body, "backward"):
                message = f"next(iter({name})) starts from the beginning: each step gets the first batch"
                yield self.finding(program, call, message)
