"""list-dataset-with-workers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, walk_here
from bugloss.source.training.data_loaders import data_loaders, datasets


class ListDatasetWithWorkers(Rule):
    """A dataset that worker processes load keeps its samples in a Python list.

    ## What it finds
    A dataset that builds a list or dict in ``__init__`` by a loop or comprehension and is loaded with
    ``num_workers`` above zero.

    ## Why it hurts
    Reading an element changes its reference count, so the memory that the workers share is copied page by page.
    Memory grows until each worker has its own copy of the list.

    ## Example
    ```python
    self.samples = [read(line) for line in open(path)]
    ```

    ## Use instead
    ```python
    self.samples = np.array([read(line) for line in open(path)])
    ```

    ## Known problems
    Short lists are harmless.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch issue 13246; PyTorch documentation, torch.utils.data: Multi-process data loading (warning).
    """

    name = "list-dataset-with-workers"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.PERFORMANCE
    groups = ("data", "performance")
    words = ("DataLoader",)
    faulty = (
        """\
from torch.utils.data import DataLoader, Dataset

class Lines(Dataset):
    def __init__(self, path):
        self.lines = [line.split() for line in open(path)]

    def __getitem__(self, index):
        return self.lines[index]

loader = DataLoader(Lines("data.txt"), num_workers=4, shuffle=True)
""",
    )
    clean = (
        """\
import numpy as np
from torch.utils.data import DataLoader, Dataset

class Lines(Dataset):
    def __init__(self, path):
        self.lines = np.array([line.split() for line in open(path)])

    def __getitem__(self, index):
        return self.lines[index]

loader = DataLoader(Lines("data.txt"), num_workers=4, shuffle=True)
""",
        """\
from torch.utils.data import DataLoader, Dataset

class Lines(Dataset):
    def __init__(self, path):
        self.lines = [line.split() for line in open(path)]

    def __getitem__(self, index):
        return self.lines[index]

loader = DataLoader(Lines("data.txt"), shuffle=True)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not any(loader.has_workers for loader in data_loaders(program)):
            return
        for class_ in datasets(program):
            methods = {item.name: item for item in class_.body if isinstance(item, ast.FunctionDef)}
            initialiser, read = methods.get("__init__"), methods.get("__getitem__")
            if initialiser is None or read is None:
                continue
            used = {dotted(node) for node in walk_here(read.body) if isinstance(node, ast.Attribute)}
            for node in initialiser.body:
                if isinstance(node, ast.Assign) and isinstance(node.value, (ast.ListComp, ast.DictComp)):
                    name = dotted(node.targets[0])
                    if name in used:
                        message = (
                            f"every worker process ends up with its own copy of {name}: use an array, which they share"
                        )
                        yield self.finding(program, node, message)
