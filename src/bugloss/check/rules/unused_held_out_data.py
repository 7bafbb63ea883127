"""unused-held-out-data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import walk
from bugloss.source.training.data_loaders import data_loaders

_HELD_OUT = {"val", "valid", "validation", "test", "dev", "holdout"}


class UnusedHeldOutData(Rule):
    """Held-out data are never used; the network is evaluated on other data.

    ## What it finds
    A loader or part of a split whose name says validation or test and that nothing reads, in a file that evaluates a
    network.

    ## Why it hurts
    The reported score is that of the training data: it says nothing about new samples.

    ## Example
    ```python
    test_loader = DataLoader(test_set)
    model.eval()
    for x, y in train_loader:
        correct += (model(x).argmax(1) == y).sum()
    ```

    ## Use instead
    ```python
    test_loader = DataLoader(test_set)
    model.eval()
    for x, y in test_loader:
        correct += (model(x).argmax(1) == y).sum()
    ```

    ## Known problems
    Loaders that another file imports are reported too, unless the file defines nothing but them.

    ## Fix safety
    No fix is offered.

    ## References
    The catalogue's row split-overlap.
    """

    name = "unused-held-out-data"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("val", "test")
    faulty = (
        """\
import torch
from torch.utils.data import DataLoader

def run(model, train_set, test_set, criterion, optimizer):
    train_loader = DataLoader(train_set, batch_size=8, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=8)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for x, y in train_loader:
            print((model(x).argmax(1) == y).float().mean())
""",
    )
    clean = (
        """\
import torch
from torch.utils.data import DataLoader

def run(model, train_set, test_set, criterion, optimizer):
    train_loader = DataLoader(train_set, batch_size=8, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=8)
    model.eval()
    for x, y in test_loader:
        print(model(x))
""",
        """\
from torch.utils.data import DataLoader

def loaders(train_set, test_set):
    train_loader = DataLoader(train_set, batch_size=8, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=8)
    return train_loader
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for loader in data_loaders(program):
            words = set(loader.name.lower().split("_"))
            if not loader.name or "." in loader.name or not words & _HELD_OUT or loader.name in program.read_words:
                continue
            home = scope_of(program, loader.call)
            if home is program.tree and not program.called("backward"):
                continue  # a module of data: others import it
            evaluated = any(isinstance(node, ast.Attribute) and node.attr == "eval" for node in walk(home))
            if evaluated:
                message = f"{loader.name} is never read: the network is evaluated on other data"
                yield self.finding(program, loader.call, message)
