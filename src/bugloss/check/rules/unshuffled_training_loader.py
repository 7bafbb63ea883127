"""unshuffled-training-loader."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, add_argument, replace_node
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of
from bugloss.source.training.data_loaders import data_loaders
from bugloss.source.training.gradient_steps import gradient_steps


class UnshuffledTrainingLoader(Rule):
    """The training data are not shuffled.

    ## What it finds
    A ``DataLoader`` for training data (by its name, in a file that trains) with neither ``shuffle=True`` nor a
    sampler.

    ## Why it hurts
    If the data are sorted, for example by class, neighbouring batches are similar. The network forgets one class
    while it learns the next, and batch statistics are biased.

    ## Example
    ```python
    train_loader = DataLoader(train_set, batch_size=32)
    ```

    ## Use instead
    ```python
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    ```

    ## Known problems
    Streams and sequences whose order matters should not be shuffled. Advice if ``shuffle=False`` is explicit or the
    file permutes or splits data at random.

    ## Fix safety
    Suggested: the order may matter.

    ## References
    PyTorch documentation, torch.utils.data.DataLoader (shuffle defaults to False).
    """

    name = "unshuffled-training-loader"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("DataLoader",)
    faulty = (
        """\
import torch
from torch.utils.data import DataLoader

def train(model, train_set, criterion, optimizer):
    train_loader = DataLoader(train_set, batch_size=32)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import torch
from torch.utils.data import DataLoader, IterableDataset, WeightedRandomSampler

class Stream(IterableDataset):
    pass

def train(model, train_set, test_set, weights, options, criterion, optimizer):
    train_loader = DataLoader(train_set, batch_size=32, sampler=WeightedRandomSampler(weights, 100))
    train_again = DataLoader(train_set, **options)
    train_shuffled = DataLoader(train_set, 32, True)
    train_stream = DataLoader(Stream(), batch_size=32)
    test_loader = DataLoader(test_set, batch_size=32)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
        """\
import torch
from torch.utils.data import DataLoader

def training_accuracy(model, train_set):
    train_loader = DataLoader(train_set, batch_size=32)
    return sum((model(x).argmax(1) == y).sum() for x, y in train_loader)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch
from torch.utils.data import DataLoader

def train(model, train_set, criterion, optimizer):
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        if not any(step.role == "backward" for step in gradient_steps(program)):
            return
        random_order = program.mentions(("randperm", "random_split", ".shuffle(", "permutation(", "train_test_split"))
        severity = Severity.ADVICE if random_order else Severity.WARNING
        for loader in data_loaders(program):
            name = loader.name.rsplit(".", 1)[-1].lower()
            other_use = any(word in name for word in ("test", "val", "eval", "ordered", "seq", "iter"))
            if "train" not in name or other_use or loader.ordered_by_caller or loader.streams(program):
                continue
            message = f"{loader.name} returns the training data in the same order in every epoch; pass shuffle=True"
            written = Severity.ADVICE if keyword_of(loader.call, "shuffle") else severity
            yield self.finding(program, loader.call, message, fix=_fix(program, loader.call), severity=written)


def _fix(program: Program, call: ast.Call) -> Fix | None:
    written = keyword_of(call, "shuffle")
    if written is not None:
        return replace_node(program, written, "True", "shuffle the training data")
    return add_argument(program, call, "shuffle=True", "shuffle the training data")
