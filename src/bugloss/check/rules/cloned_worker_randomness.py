"""cloned-worker-randomness."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.releases.requirement import parse_version
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, keyword_of, walk_here
from bugloss.source.training.data_loaders import data_loaders, datasets


class ClonedWorkerRandomness(Rule):
    """Every data-loading worker draws the same random numbers.

    ## What it finds
    A dataset that keeps its own NumPy, Python or torch random generator (or, before PyTorch 1.9, uses
    ``np.random``) and draws from it in ``__getitem__``, loaded with worker processes and no ``worker_init_fn``.

    ## Why it hurts
    The generator is copied into each worker, and again in each epoch: the workers produce identical augmentations,
    epoch after epoch.

    ## Example
    ```python
    self.rng = np.random.default_rng(0)  # used in __getitem__
    DataLoader(dataset, num_workers=4)
    ```

    ## Use instead
    ```python
    def seed_worker(worker_id):
        dataset = torch.utils.data.get_worker_info().dataset
        dataset.rng = np.random.default_rng(torch.initial_seed() % 2**32)

    DataLoader(dataset, num_workers=4, worker_init_fn=seed_worker)
    ```

    ## Known problems
    Datasets and loaders in different files are not connected.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch issue 5059; PyTorch documentation, Reproducibility: DataLoader.
    """

    name = "cloned-worker-randomness"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.SEED
    groups = ("data", "reproducibility")
    words = ("num_workers",)
    faulty = (
        """\
import numpy as np
from torch.utils.data import DataLoader, Dataset

class Noisy(Dataset):
    def __init__(self, values):
        self.values = values
        self.rng = np.random.default_rng(0)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index] + self.rng.normal()

loader = DataLoader(Noisy([1.0, 2.0]), num_workers=2, shuffle=True)
""",
    )
    clean = (
        """\
import numpy as np
from torch.utils.data import DataLoader, Dataset

class Noisy(Dataset):
    def __init__(self, values):
        self.values = values
        self.rng = np.random.default_rng(0)
        self.fixed = [value + self.rng.normal() for value in values]

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.fixed[index] + np.random.normal()

loader = DataLoader(Noisy([1.0, 2.0]), num_workers=2, shuffle=True)
""",
        """\
import numpy as np
from torch.utils.data import DataLoader, Dataset

class Noisy(Dataset):
    def __init__(self, values):
        self.values = values
        self.rng = np.random.default_rng(0)

    def __getitem__(self, index):
        return self.values[index] + self.rng.normal()

def reseed(worker):
    np.random.seed(worker)

plain = DataLoader(Noisy([1.0, 2.0]), num_workers=0)
seeded = DataLoader(Noisy([1.0, 2.0]), num_workers=2, worker_init_fn=reseed)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        loaders = [loader for loader in data_loaders(program) if loader.has_workers]
        if not loaders or any(keyword_of(loader.call, "worker_init_fn") for loader in loaders):
            return
        for class_ in datasets(program):
            methods = {item.name: item for item in class_.body if isinstance(item, ast.FunctionDef)}
            draws = methods.get("__getitem__")
            if draws is None:
                continue
            for name in [*_generators(program, methods.get("__init__")), *_global_generator(program)]:
                used = next((node for node in walk_here(draws.body) if _draws(program, node, name)), None)
                if used is not None:
                    message = f"every worker draws the same random numbers from {name}: seed it in worker_init_fn"
                    yield self.finding(program, used, message)


_MAKERS = {"numpy.random.default_rng", "numpy.random.RandomState", "random.Random", "torch.Generator"}


def _generators(program: Program, initialiser: ast.FunctionDef | None) -> list[str]:
    """Attributes that hold a random generator of the object's own."""
    found = []
    for node in walk_here(initialiser.body) if initialiser is not None else ():
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(value, ast.Call):
            made = program.names.qualified(value.func) in _MAKERS
            found += [dotted(target) for target in node.targets if made and dotted(target).startswith("self.")]
    return found


def _global_generator(program: Program) -> list[str]:
    """``numpy.random``, where the checked release of PyTorch does not seed it for each worker (before 1.9)."""
    return ["numpy.random"] if () < parse_version(program.target.get("torch", "")) < (1, 9) else []


def _draws(program: Program, node: ast.AST, name: str) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return name in (dotted(node.func.value), program.names.qualified(node.func.value))
