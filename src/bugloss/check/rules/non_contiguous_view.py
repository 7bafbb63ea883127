"""non-contiguous-view."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, rename_method
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Items, Operation, Shape, Tensor, integers_of

# Stand-ins for lengths that are not known: different primes, so that nothing fits by accident.
_PRIMES = (101, 103, 107, 109, 113, 127, 131, 137)


class NonContiguousView(Rule):
    """``view`` is called on a transposed tensor.

    ## What it finds
    ``view`` after ``transpose``, ``permute`` or ``.T`` where the new shape merges axes that are no longer adjacent in
    memory.

    ## Why it hurts
    ``view`` never copies. PyTorch raises "view size is not compatible with input tensor's size and stride".

    ## Example
    ```python
    y = x.transpose(1, 2).view(8, -1)
    ```

    ## Use instead
    ```python
    y = x.transpose(1, 2).reshape(8, -1)
    ```

    ## Known problems
    Only axes whose order can be derived from the source code are known. Views that split axes, or merge axes that are
    still adjacent, are valid and not reported.

    ## Fix safety
    Safe: ``reshape`` does what ``view`` does and copies where necessary.

    ## References
    PyTorch documentation of ``torch.Tensor.view``.
    """

    name = "non-contiguous-view"
    severity = Severity.ERROR
    category = Category.TENSOR
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("shapeflow",)
    words = ("view", "reshape")
    faulty = (
        """\
import torch

x = torch.randn(8, 5, 6)
y = x.transpose(1, 2).view(8, -1)
""",
        """\
import torch

def merge(batch):
    x = torch.randn(batch, 4, 10, 16)
    x = x.permute(0, 2, 1, 3)
    return x.view(-1, 64)
""",
    )
    clean = (
        """\
import torch

x = torch.randn(8, 5, 6)
y = x.transpose(1, 2).reshape(8, -1)
z = x.transpose(1, 2).contiguous().view(8, -1)
""",
        """\
import torch

x = torch.randn(8, 5, 6, 3)
y = x.permute(0, 3, 1, 2).view(8, 3, -1)
z = x.transpose(0, 1).view(5, 8, 2, 3, 3)
""",
        """\
import torch

def flatten(x):
    return x.transpose(1, 2).view(8, -1)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import torch

x = torch.randn(8, 5, 6)
y = x.transpose(1, 2).reshape(8, -1)
"""
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for operation in program.calls("Tensor.view"):
            tensor = operation.receiver
            if not isinstance(tensor, Tensor) or "non-contiguous" not in tensor.facts or tensor.library != "torch":
                continue
            wanted = _wanted(operation)
            strides = _strides(tensor)
            if wanted is None or strides is None or _viewable(strides, wanted):
                continue
            message = "view cannot merge axes that were transposed before; use reshape"
            yield self.finding(program, operation.node, message, fix=_reshape(program, operation.node))


def _wanted(operation: Operation) -> Shape | None:
    values = operation.positional
    written = values[0] if len(values) == 1 and isinstance(values[0], Items) else Items(values)
    shape = None if operation.starred else integers_of(written)
    return shape if shape is not None and all(isinstance(dim, int) for dim in shape) and shape.count(-1) <= 1 else None


def _strides(tensor: Tensor) -> list[tuple[int, int]] | None:
    """Length and step of every axis after the exchange, unknown lengths replaced by primes; None when not known."""
    base = tensor.inputs[0] if tensor.inputs else None
    if not isinstance(base, Tensor) or base.shape is None or "non-contiguous" in base.facts or not base.shape:
        return None
    unknown = iter(_PRIMES)
    lengths = [dim if isinstance(dim, int) else next(unknown, 139) for dim in base.shape]
    steps = [1] * len(lengths)
    for axis in range(len(lengths) - 2, -1, -1):
        steps[axis] = steps[axis + 1] * lengths[axis + 1]
    order = _order(tensor, len(lengths))
    return None if order is None else [(lengths[axis], steps[axis]) for axis in order]


def _order(tensor: Tensor, rank: int) -> list[int] | None:
    """The order of the old axes in the exchanged tensor, read from the call that exchanged them."""
    node = tensor.node
    if tensor.made_by == "T" or not isinstance(node, ast.Call):
        return list(reversed(range(rank))) if tensor.made_by == "T" else None
    numbers = [_integer(argument) for argument in node.args]
    if len(node.args) == 1 and isinstance(node.args[0], (ast.Tuple, ast.List)):
        numbers = [_integer(argument) for argument in node.args[0].elts]
    if not isinstance(node.func, ast.Attribute) or None in numbers or node.keywords:
        return None
    axes = [number % rank for number in numbers if number is not None]
    if node.func.attr == "permute" and sorted(axes) == list(range(rank)):
        return axes
    if node.func.attr in {"transpose", "swapaxes"} and len(axes) == 2:
        order = list(range(rank))
        order[axes[0]], order[axes[1]] = order[axes[1]], order[axes[0]]
        return order
    return None


def _integer(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _viewable(axes: list[tuple[int, int]], wanted: Shape) -> bool:
    """Whether the wanted shape only splits axes or joins those that are adjacent; True when in doubt."""
    blocks: list[int] = []  # lengths of runs of axes that lie next to each other
    for index, (length, step) in enumerate(axes):
        follows = index > 0 and axes[index - 1][1] == step * length
        if follows:
            blocks[-1] *= length
        else:
            blocks.append(length)
    sizes = [dim for dim in wanted if isinstance(dim, int)]
    total = 1
    for block in blocks:
        total *= block
    known = 1
    for dim in sizes:
        known *= dim if dim != -1 else 1
    if -1 in sizes:
        if total % known:
            return True
        sizes[sizes.index(-1)] = total // known
    elif total != known:
        return True
    return _fits(blocks, sizes)


def _fits(blocks: list[int], sizes: list[int]) -> bool:
    """Each run must be covered by whole wanted axes."""
    rest = list(sizes)
    for block in blocks:
        covered = 1
        while covered < block:
            if not rest:
                return False
            covered *= rest.pop(0)
        if covered != block:
            return False
    return True


def _reshape(program: Program, node: ast.expr) -> Fix | None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    return rename_method(program, node.func, "reshape", "use reshape", Safety.SAFE)
