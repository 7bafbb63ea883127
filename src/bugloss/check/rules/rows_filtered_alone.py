"""rows-filtered-alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, insert_line_after
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import assigned_pairs, last_part, method_of, walk, written


class RowsFilteredAlone(Rule):
    """Rows of the inputs are selected or reordered, those of the targets are not.

    ## What it finds
    ``x = x[keep]`` with a mask, a permutation or a list of indices, where ``x`` and ``y`` are used as a pair
    afterwards and ``y`` is not indexed in the same way.

    ## Why it hurts
    Labels no longer belong to their samples. Lengths may even be equal again, and the network learns noise.

    ## Example
    ```python
    keep = np.isfinite(x).all(axis=1)
    x = x[keep]
    dataset = TensorDataset(x, y)
    ```

    ## Use instead
    ```python
    keep = np.isfinite(x).all(axis=1)
    x, y = x[keep], y[keep]
    dataset = TensorDataset(x, y)
    ```

    ## Known problems
    Pairs that are made by a function of another file are not seen.

    ## Fix safety
    Suggested: the same selection of the targets is inserted.

    ## References
    NumPy documentation on advanced indexing.
    """

    name = "rows-filtered-alone"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("[",)
    faulty = (
        """\
import numpy as np
import torch
from torch.utils.data import TensorDataset

def build(x, y):
    order = np.random.permutation(len(x))
    x = x[order]
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))
""",
    )
    clean = (
        """\
import numpy as np
import torch
from torch.utils.data import TensorDataset

def build(x, y, columns):
    order = np.random.permutation(len(x))
    x, y = x[order], y[order]
    x = x[:, columns]
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))

def other(x, y):
    x = x[:100]
    y = y[:100]
    return TensorDataset(x, y)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        pairs = list(_pairs(program))
        for node in program.nodes[ast.Assign]:
            for name, index in _selected(node):
                scope = scope_of(program, node)
                line = getattr(node, "lineno", 0)
                others = {other for one, other, where, at in pairs if one == name and where is scope and at > line}
                for other in sorted(others):
                    if not _indexed(scope, other, index) and isinstance(node, ast.Assign):
                        text = f"{other} = {other}[{index}]"
                        message = f"{name} is indexed by {index}, {other} is not: write {text}"
                        fix = insert_line_after(program, node, text, f"insert `{text}` after line {line}")
                        yield self.finding(program, node, message, fix=fix)


_PAIRS = {"TensorDataset", "fit", "train_test_split", "from_tensor_slices", "zip", "ArrayDataset"}


def _pairs(program: Program) -> Iterator[tuple[str, str, ast.AST, int]]:
    """Names that are passed together as samples and targets, with their scope and line."""
    for call in program.called(*_PAIRS):
        given = call.args[0].elts if len(call.args) == 1 and isinstance(call.args[0], ast.Tuple) else call.args[:2]
        names = [_name(one) for one in given]
        if len(names) == 2 and all(names) and names[0] != names[1]:
            yield names[0], names[1], scope_of(program, call), call.lineno
            if method_of(call) != "fit":
                yield names[1], names[0], scope_of(program, call), call.lineno


def _name(node: ast.expr) -> str:
    """The variable behind a conversion: ``x`` of ``torch.from_numpy(x).float()``."""
    names = [part.id for part in walk(node) if isinstance(part, ast.Name) and part.id not in {"torch", "np", "tf"}]
    simple = not any(isinstance(part, ast.Subscript | ast.BinOp) for part in walk(node))
    return names[0] if len(names) == 1 and simple else ""


def _selected(node: ast.AST) -> Iterator[tuple[str, str]]:
    """``x = x[keep]``: the array and how it is indexed, where that is one name."""
    for one, value in assigned_pairs(node):
        index = value.slice if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) else None
        if isinstance(index, ast.Name) and isinstance(one, ast.Name) and one.id == last_part(value):
            yield one.id, index.id


def _indexed(scope: ast.AST, name: str, index: str) -> bool:
    return any(isinstance(part, ast.Subscript) and written(part) == f"{name}[{index}]" for part in walk(scope))
