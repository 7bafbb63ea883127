"""target-inside-window."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import assigned
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, walk_here, written


class TargetInsideWindow(Rule):
    """The target of a window is a value of the window itself.

    ## What it finds
    A window ``series[i : i + n]`` whose target is ``series[i + n - 1]``, or a stretch that begins there.

    ## Why it hurts
    The model is asked for a value that it is given: it learns to copy, the error looks excellent, and nothing is
    forecast.

    ## Example
    ```python
    x.append(series[i : i + n])
    y.append(series[i + n - 1])
    ```

    ## Use instead
    ```python
    x.append(series[i : i + n])
    y.append(series[i + n])
    ```

    ## Known problems
    A label that belongs to the last step of a window, such as a state of a machine, comes from another array and is
    not reported.

    ## Fix safety
    No fix is offered: the horizon may be meant to be longer.

    ## References
    Kaufman et al., Leakage in Data Mining (2012).
    """

    name = "target-inside-window"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("- 1", "-1")
    faulty = (
        """\
import numpy as np
import keras

def windows(series, length):
    x, y = [], []
    for i in range(len(series) - length):
        x.append(series[i : i + length])
        y.append(series[i + length - 1])
    return np.array(x), np.array(y)
""",
        """\
import torch

class Windows(torch.utils.data.Dataset):
    def __getitem__(self, i):
        end = i + self.length
        window = self.values[i:end]
        target = self.values[end - 1, 0]
        return window, target
""",
    )
    clean = (
        """\
import numpy as np
import keras

def windows(series, labels, length, horizon):
    x, y = [], []
    for i in range(len(series) - length - horizon):
        x.append(series[i : i + length - 1])
        y.append(series[i + length - 1])
        z = labels[i + length - 1]
        last = series[i : i + length][-1]
    return np.array(x), np.array(y)
""",
        """\
import torch

def causal(tokens, start, length):
    inputs = tokens[start : start + length]
    targets = tokens[start + 1 : start + length + 1]
    before = tokens[: length - 1]
    return inputs, targets, before
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        seen: set[int] = set()
        for window in program.nodes[ast.Subscript]:
            end = _end_of_window(program, window)
            if end is None or not isinstance(window, ast.Subscript):
                continue
            for other in walk_here(_body(scope_of(program, window))):
                begin = _begin(program, other, written(window.value)) if other is not window else None
                line = getattr(other, "lineno", 0)
                kept = begin is not None and _is_stored(program, window) and _is_stored(program, other)
                if kept and begin == _minus_one(end) and line not in seen:
                    seen.add(line)
                    message = "the target is the last value of its own window: take the value after it"
                    yield self.finding(program, other, message, related=((program.span(window), "the window"),))


Linear = Counter[str]  # names with their factors; the empty name is the number that is added


def _body(scope: ast.AST) -> list[ast.AST]:
    return list(getattr(scope, "body", []))


def _end_of_window(program: Program, node: ast.AST) -> Linear | None:
    """Where a slice with a moving start ends, as a sum."""
    part = _first_axis(node)
    if not isinstance(part, ast.Slice) or part.lower is None or part.upper is None or part.step is not None:
        return None
    lower, upper = _linear(program, part.lower), _linear(program, part.upper)
    moves = lower is not None and any(name for name in lower if name)
    return upper if moves and upper is not None and upper != lower else None


def _begin(program: Program, node: ast.AST, series: str) -> Linear | None:
    """The index, or the start of a slice, that another subscript of the same series reads."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or written(node.value) != series:
        return None
    part = _first_axis(node)
    if isinstance(part, ast.Slice):
        return _linear(program, part.lower) if part.lower is not None and part.upper is not None else None
    return _linear(program, part) if isinstance(part, ast.expr) else None


def _first_axis(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Subscript):
        return None
    return node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice


def _linear(program: Program, node: ast.expr, depth: int = 4) -> Linear | None:
    """A sum of names and whole numbers; None for anything else."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return Counter({"": node.value})
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        left, right = _linear(program, node.left, depth), _linear(program, node.right, depth)
        if left is None or right is None:
            return None
        total = Counter(left)
        total.update(right) if isinstance(node.op, ast.Add) else total.subtract(right)
        return _without_zeros(total)
    if isinstance(node, ast.Name | ast.Attribute) and dotted(node):
        made = assigned(program, node) if depth else None
        sum_of = _linear(program, made, depth - 1) if isinstance(made, ast.BinOp) else None
        return sum_of if sum_of is not None else Counter({dotted(node): 1})
    return None


def _minus_one(end: Linear) -> Linear:
    total = Counter(end)
    total[""] -= 1
    return _without_zeros(total)


def _without_zeros(total: Linear) -> Linear:
    return Counter({name: factor for name, factor in total.items() if factor})


def _is_stored(program: Program, node: ast.AST) -> bool:
    """Whether the value is kept as it is: appended, assigned, returned or yielded, converted at most."""
    current = program.parents.get(node)
    while isinstance(current, ast.Call | ast.Attribute | ast.Tuple):
        current = program.parents.get(current)
    return isinstance(current, ast.Assign | ast.Return | ast.Yield | ast.Expr)
