"""average-over-wrong-count."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, last_part, method_of, walk, walk_here
from bugloss.source.training.loss_calls import last_assigned


class AverageOverWrongCount(Rule):
    """A sum over batches is divided by the number of samples, or the other way round.

    ## What it finds
    In a loop over a loader: ``total += loss.item()`` with a mean loss, divided by ``len(loader.dataset)``; a loss that
    was multiplied by the size of its batch, divided by ``len(loader)``; a number of correct samples, divided by
    ``len(loader)``.

    ## Why it hurts
    The reported loss is wrong by the factor of the batch size, and an accuracy can exceed 1: runs with other batch
    sizes cannot be compared, and thresholds and early stopping react to the wrong number.

    ## Example
    ```python
    for x, y in loader:
        total += criterion(model(x), y).item()
    print(total / len(loader.dataset))
    ```

    ## Use instead
    ```python
    for x, y in loader:
        total += criterion(model(x), y).item()
    print(total / len(loader))
    ```

    ## Known problems
    A loss with ``reduction`` given is not reported.

    ## Fix safety
    Suggested: the divisor is exchanged.

    ## References
    PyTorch documentation, the ``reduction`` of losses.
    """

    name = "average-over-wrong-count"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("loop",)
    words = ("len(",)
    faulty = (
        """\
import torch
from torch import nn

def evaluate(model, loader):
    criterion = nn.CrossEntropyLoss()
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return total / len(loader.dataset)
""",
        """\
import torch

def evaluate(model, loader):
    correct = 0
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
    print(correct / len(loader))
""",
        """\
import torch

def evaluate(model, loader, criterion):
    total = 0.0
    for x, y in loader:
        loss = criterion(model(x), y)
        total += loss.item() * x.size(0)
    total /= len(loader)
    return total
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def evaluate(model, loader, criterion):
    total, mean, correct = 0.0, 0.0, 0
    for x, y in loader:
        output = model(x)
        total += F.nll_loss(output, y, reduction="sum").item()
        mean += criterion(output, y).item() * len(x)
        correct += output.argmax(1).eq(y).sum().item()
    return total / len(loader.dataset), mean / len(loader.dataset), correct / len(loader.dataset)
""",
        """\
import torch

def evaluate(model, loader, criterion):
    total, share = 0.0, 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
        share += (model(x).argmax(1) == y).float().mean().item()
    return total / len(loader), share / len(loader)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or program.mentions(("reduction=",)):
            return
        for loop in program.nodes[ast.For]:
            assert isinstance(loop, ast.For)
            loader = _loader(loop)
            if loader:
                for node in walk_here(loop.body):
                    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and dotted(node.target):
                        yield from self._divided(program, loop, loader, node)

    def _divided(self, program: Program, loop: ast.For, loader: str, added: ast.AugAssign) -> Iterator[Finding]:
        unit = _unit(program, added)
        for division, divisor in _divisions(program, loop, dotted(added.target)) if unit else ():
            by = _counted(divisor, loader)
            if by and by != unit:
                right = f"len({loader})" if unit == "batches" else f"len({loader}.dataset)"
                what = "one mean for each batch" if unit == "batches" else "a sum over samples"
                message = f"{dotted(added.target)} adds up {what}, but is divided by the number of {by}: use {right}"
                fix = replace_node(program, divisor, right, f"divide by {right}")
                yield self.finding(program, division, message, fix=fix)


def _loader(loop: ast.For) -> str:
    """The loader that a loop goes over, also behind ``enumerate`` and a progress bar."""
    iterated = loop.iter
    while isinstance(iterated, ast.Call) and method_of(iterated) in {"enumerate", "tqdm"} and iterated.args:
        iterated = iterated.args[0]
    name = dotted(iterated)
    return name if "load" in name.lower() or name.lower().endswith("dl") else ""


def _unit(program: Program, added: ast.AugAssign) -> str:
    """What one summand stands for: a batch (a mean over it) or its samples."""
    value = added.value
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        sides = (value.left, value.right)
        sized = any(_is_size(side) for side in sides)
        return "samples" if sized and any(_is_loss(program, side, added) for side in sides) else ""
    if _is_loss(program, value, added):
        return "batches"
    return "samples" if _counts_correct(value) else ""


def _is_loss(program: Program, value: ast.expr, place: ast.stmt) -> bool:
    """``loss.item()`` where the loss comes from a criterion in the same block."""
    if method_of(value) != "item" or not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    inner: ast.expr | None = value.func.value
    if isinstance(inner, ast.Name):
        assigned = last_assigned(program, inner.id, place)
        inner = assigned.value if assigned is not None else None
    name = last_part(inner.func).lower() if isinstance(inner, ast.Call) else ""
    return "criterion" in name or name.endswith("loss") or "loss_f" in name or name in {"cross_entropy"}


def _counts_correct(value: ast.expr) -> bool:
    """``(prediction == y).sum()``, with or without ``item()``."""
    methods = [method_of(node) for node in walk(value)]
    compared = any(isinstance(node, ast.Compare) for node in walk(value)) or "eq" in methods
    return (
        compared
        and "sum" in methods
        and "mean" not in methods
        and not any(isinstance(n, ast.BinOp) for n in walk(value))
    )


def _is_size(node: ast.expr) -> bool:
    if method_of(node) == "len":
        return True
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and is_constant(node.slice, 0)
    return (
        method_of(node) == "size"
        and isinstance(node, ast.Call)
        and len(node.args) == 1
        and is_constant(node.args[0], 0)
    )


def _divisions(program: Program, loop: ast.For, name: str) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Where the sum is divided after the loop, in the same function."""
    function = program.enclosing(loop, ast.FunctionDef, ast.AsyncFunctionDef) or program.tree
    for node in walk_here(getattr(function, "body", [])):
        if getattr(node, "lineno", 0) <= loop.lineno:
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and dotted(node.left) == name:
            yield node, node.right
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and dotted(node.target) == name:
            yield node, node.value


def _counted(divisor: ast.expr, loader: str) -> str:
    if method_of(divisor) != "len" or not isinstance(divisor, ast.Call) or len(divisor.args) != 1:
        return ""
    return {loader: "batches", f"{loader}.dataset": "samples"}.get(dotted(divisor.args[0]), "")
