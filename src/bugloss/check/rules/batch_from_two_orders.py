"""batch-from-two-orders."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.check.views.training_loops import trains
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, loads, method_of, walk_here


class BatchFromTwoOrders(Rule):
    """Inputs are taken in shuffled order and targets in the original one.

    ## What it finds
    In a training loop, ``x[order[i:j]]`` beside ``y[i:j]``, where the order is a random permutation.

    ## Why it hurts
    Every sample gets the target of another one: the network can only learn the mean.

    ## Example
    ```python
    order = torch.randperm(n)
    for i in range(0, n, 32):
        batch = order[i : i + 32]
        loss = criterion(model(x[batch]), y[i : i + 32])
    ```

    ## Use instead
    ```python
    order = torch.randperm(n)
    for i in range(0, n, 32):
        batch = order[i : i + 32]
        loss = criterion(model(x[batch]), y[batch])
    ```

    ## Known problems
    Only permutations of the same function are followed.

    ## Fix safety
    Suggested: the targets are taken in the same order.

    ## References
    The catalogue's row labels-misaligned.
    """

    name = "batch-from-two-orders"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data", "loop")
    words = ("perm",)
    faulty = (
        """\
import torch

def train(model, x, y, criterion, optimizer):
    order = torch.randperm(len(x))
    for i in range(0, len(x), 32):
        batch = order[i : i + 32]
        optimizer.zero_grad()
        criterion(model(x[batch]), y[i : i + 32]).backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(model, x, y, criterion, optimizer):
    order = torch.randperm(len(x))
    for i in range(0, len(x), 32):
        batch = order[i : i + 32]
        optimizer.zero_grad()
        criterion(model(x[batch]), y[batch]).backward()
        optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        orders = _orders(program)
        for loop in program.nodes[ast.For] if orders else ():
            assert isinstance(loop, ast.For)
            parts = [node for node in walk_here(loop.body) if isinstance(node, ast.Subscript)]
            chosen = _chosen(loop, orders)
            used = [part for part in parts if dotted(part.slice) in chosen]
            if used and trains(program, loop.body):
                name = dotted(used[0].slice)
                shuffled = {dotted(part.value) for part in used}
                for part in parts:
                    other = dotted(part.value)
                    same = isinstance(part.slice, ast.Slice) and bool(loads(part.slice) & loads(chosen[name]))
                    if same and other and other not in shuffled | orders:
                        first = ", ".join(sorted(shuffled))
                        message = f"{other} is taken in its original order, but {first} in that of {name}"
                        fix = replace_node(program, part.slice, name, "take both in the same order")
                        yield self.finding(program, part, message, fix=fix)


def _orders(program: Program) -> set[str]:
    """Names that hold a random permutation."""
    made = program.assignments.items()
    return {name for name, nodes in made if any(method_of(one.value) in {"randperm", "permutation"} for one in nodes)}


def _chosen(loop: ast.For, orders: set[str]) -> dict[str, ast.expr]:
    """Names that the loop gives a part of a permutation, and which part."""
    return {
        dotted(node.targets[0]): node.value.slice
        for node in walk_here(loop.body)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript) and dotted(node.value.value) in orders
    }
