"""hard-coded-batch-size."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Items, Operation, integer_of, truth_of


class HardCodedBatchSize(Rule):
    """A network reshapes to the loader's batch size, but the last batch is smaller.

    ## What it finds
    ``view`` or ``reshape`` in a ``forward`` whose first dimension is the ``batch_size`` of a loader in the same file,
    while no loader drops the last batch.

    ## Why it hurts
    Unless the number of samples is a multiple of the batch size, the last batch of every epoch is shorter and the
    reshape fails, or mixes samples if another dimension is -1.

    ## Example
    ```python
    loader = DataLoader(data, batch_size=64)
    ...
    x = x.view(64, -1)
    ```

    ## Use instead
    ```python
    x = x.view(x.size(0), -1)
    ```

    ## Known problems
    Data sets whose size is a multiple of the batch size are reported too, unless the source code shows the size.

    ## Fix safety
    No fix is offered.

    ## References
    Jhoo and others: A static analyzer for detecting tensor shape errors in deep neural network training code
    (PyTea), 2021.
    """

    name = "hard-coded-batch-size"
    severity = Severity.WARNING
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("shapeflow",)
    words = ("DataLoader",)
    faulty = (
        """\
import torch
from torch.utils.data import DataLoader

BATCH = 64

class Net(torch.nn.Module):
    def forward(self, x):
        return x.view(BATCH, -1)

def load(data):
    return DataLoader(data, batch_size=BATCH, shuffle=True)
""",
    )
    clean = (
        """\
import torch
from torch.utils.data import DataLoader

class Net(torch.nn.Module):
    def forward(self, x):
        return x.view(x.size(0), -1)

def load(data):
    return DataLoader(data, batch_size=64, shuffle=True)
""",
        """\
import torch
from torch.utils.data import DataLoader

class Net(torch.nn.Module):
    def forward(self, x):
        return x.view(64, -1)

def load(data):
    return DataLoader(data, batch_size=64, shuffle=True, drop_last=True)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        loaders = list(program.calls("torch.utils.data.DataLoader"))
        sizes = {integer_of(loader.argument(1, "batch_size")) for loader in loaders if not _even(loader)} - {None, 1}
        if not sizes or any(_even(loader) for loader in loaders):
            return
        for operation in program.methods("view", "reshape"):
            values = operation.positional
            first = (
                values[0].items[0]
                if values and isinstance(values[0], Items) and values[0].items
                else values[0]
                if values
                else None
            )
            size = integer_of(first) if first is not None else None
            if size in sizes and "function:forward" in operation.inside and isinstance(operation.node, ast.Call):
                message = (
                    f"the batch size {size} is fixed here, but the last batch of the loader is smaller; use x.size(0)"
                )
                yield self.finding(program, operation.node, message)


def _even(loader: Operation) -> bool:
    return "drop_last" in loader.keywords and truth_of(loader.keywords["drop_last"]) is not False
