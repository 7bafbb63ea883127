"""missing-set-epoch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, insert_line
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import reachable
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, keyword_of, method_of


class MissingSetEpoch(Rule):
    """``set_epoch`` of a distributed sampler is never called.

    ## What it finds
    A ``DistributedSampler`` that shuffles, in a file that trains over several epochs and never calls ``set_epoch``.

    ## Why it hurts
    The sampler seeds its shuffling with the epoch. Without it every epoch has the same order.

    ## Example
    ```python
    for epoch in range(epochs):
        for x, y in loader:
    ```

    ## Use instead
    ```python
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in loader:
    ```

    ## Known problems
    Frameworks that call it themselves (Lightning, Accelerate, Ignite) are recognised by their import.

    ## Fix safety
    No fix is offered: the training loop may have no access to the sampler.

    ## References
    PyTorch documentation, torch.utils.data.distributed.DistributedSampler (warning).
    """

    name = "missing-set-epoch"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data", "distributed")
    words = ("DistributedSampler",)
    faulty = (
        """\
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

def train(model, dataset, criterion, optimizer):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
        """\
import torch
from torch.utils.data import DataLoader, DistributedSampler

class Run:
    def __init__(self, data, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.sampler = DistributedSampler(data)
        self.batches = DataLoader(data, sampler=self.sampler)

    def train(self):
        for epoch in range(10):
            for x in self.batches:
                self.optimizer.zero_grad()
                self.model(x).backward()
                self.optimizer.step()
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        1: """\
import torch
from torch.utils.data import DataLoader, DistributedSampler

class Run:
    def __init__(self, data, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.sampler = DistributedSampler(data)
        self.batches = DataLoader(data, sampler=self.sampler)

    def train(self):
        for epoch in range(10):
            self.sampler.set_epoch(epoch)
            for x in self.batches:
                self.optimizer.zero_grad()
                self.model(x).backward()
                self.optimizer.step()
""",
    }
    clean = (
        """\
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

def train(model, dataset, criterion, optimizer):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
        """\
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

def loader(dataset):
    return DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=False))

def train(model, batches, criterion, optimizer):
    for epoch in range(10):
        for x, y in batches:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "set_epoch" in program.source.text or program.names.roots & _AUTOMATIC:
            return
        for call in program.called("DistributedSampler") if _has_epochs(program) else ():
            given = [keyword_of(call, "shuffle"), *call.args[3:4]]
            if not any(is_constant(value, False) for value in given) and "val" not in _words(program, call):
                message = "set_epoch is never called, so the sampler repeats the same order in every epoch"
                yield self.finding(program, call, message, fix=_with_epoch(program, call))


_AUTOMATIC = {"lightning", "pytorch_lightning", "accelerate", "ignite", "transformers"}


def _with_epoch(program: Program, call: ast.Call) -> Fix | None:
    """``sampler.set_epoch(epoch)`` as the first line of the epoch loop that can see the sampler."""
    kept = program.parents.get(call)
    name = dotted(kept.targets[0]) if isinstance(kept, ast.Assign) else ""
    around = (ast.ClassDef,) if "." in name else (ast.FunctionDef,)
    for loop in program.nodes[ast.For] if name else ():
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or "epoch" not in loop.target.id:
            continue
        if program.enclosing(loop, *around) is program.enclosing(call, *around):
            text = f"{name}.set_epoch({loop.target.id})"
            return insert_line(program, loop.body[0], text, "tell the sampler which epoch begins")
    return None


def _has_epochs(program: Program) -> bool:
    """Whether a loop called epochs reaches a backward pass."""
    loops = [loop for loop in program.nodes[ast.For] if isinstance(loop, ast.For)]
    epochs = [loop for loop in loops if "epoch" in ast.unparse(loop.target).lower()]
    return any(method_of(node) == "backward" for loop in epochs for node in reachable(program, loop.body))


def _words(program: Program, call: ast.Call) -> str:
    """The statement around the call, in which samplers for validation are named."""
    statement = program.enclosing(call, ast.stmt)
    text = ast.unparse(statement).lower() if isinstance(statement, (ast.Assign, ast.Return, ast.Expr)) else ""
    return text.replace("eval", "val").replace("test", "val")
