"""windows-split-at-random."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import add_argument
from bugloss.source.local_functions import functions_by_name, scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, last_part, method_of, targets_of, walk, written


class WindowsSplitAtRandom(Rule):
    """Overlapping windows of a series are split at random.

    ## What it finds
    ``train_test_split`` (without ``shuffle=False``), ``random_split`` or a random permutation over windows that
    were cut from one series at every step.

    ## Why it hurts
    Neighbouring windows share almost all values. Split at random, nearly every test window has neighbours in the
    training data, which contain its target: the test result is far too good.

    ## Example
    ```python
    x, y = make_windows(series, 24)
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    ```

    ## Use instead
    ```python
    x, y = make_windows(series, 24)
    x_train, x_test, y_train, y_test = train_test_split(x, y, shuffle=False)
    ```

    ## Known problems
    Windows that are cut in another file are not known.

    ## Fix safety
    Suggested: ``shuffle=False`` is passed.

    ## References
    scikit-learn user guide, "Cross-validation of time series data".
    """

    name = "windows-split-at-random"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("train_test_split", "random_split")
    faulty = (
        """\
import numpy as np
import torch
from sklearn.model_selection import train_test_split

def windows(series, length):
    x, y = [], []
    for i in range(len(series) - length):
        x.append(series[i : i + length])
        y.append(series[i + length])
    return np.array(x), np.array(y)

x, y = windows(series, 24)
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)
""",
    )
    clean = (
        """\
import numpy as np
import torch
from sklearn.model_selection import train_test_split

def windows(series, length):
    x, y = [], []
    for i in range(len(series) - length):
        x.append(series[i : i + length])
        y.append(series[i + length])
    return np.array(x), np.array(y)

x, y = windows(series, 24)
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2, shuffle=False)
a, b = train_test_split(table)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("train_test_split", "random_split"):
            if is_constant(keyword_of(call, "shuffle"), False) or not call.args:
                continue
            if _is_windows(program, call.args[0], call):
                message = "overlapping windows are split at random, so the training data contain the test targets"
                split = method_of(call) == "train_test_split"
                fix = suggested(add_argument(program, call, "shuffle=False")) if split else None
                yield self.finding(program, call, message, fix=fix)


def _is_windows(program: Program, node: ast.expr, call: ast.Call) -> bool:
    """Whether a name was made by a function of the file that cuts overlapping windows."""
    name, scope = last_part(node), scope_of(program, call)
    for made in reversed(program.nodes[ast.Assign]):
        if not isinstance(made, ast.Assign) or made.lineno >= call.lineno or scope_of(program, made) is not scope:
            continue
        bound = {last_part(part) for target in targets_of(made) for part in walk(target)}
        if name in bound:
            calls = [part for part in walk(made.value) if isinstance(part, ast.Call)]
            inner = [argument for one in calls for argument in one.args if isinstance(argument, ast.Name)]
            if any(_cuts(function) for one in calls for function in functions_by_name(program).get(method_of(one), [])):
                return True
            wrapped = any(
                method_of(one) in {"TensorDataset", "array", "tensor", "from_numpy", "stack"} for one in calls
            )
            return wrapped and bool(inner) and _is_windows(program, inner[0], _at(made, call))
    return False


def _at(made: ast.Assign, call: ast.Call) -> ast.Call:
    return call if made.lineno >= call.lineno else ast.copy_location(ast.Call(call.func, [], []), call)


def _cuts(function: ast.AST) -> bool:
    """A loop over every start that takes ``series[i : i + length]``."""
    for part in walk(function):
        loops = [part] if isinstance(part, ast.For) else part.generators if isinstance(part, ast.ListComp) else []
        for loop in loops:
            index = loop.target.id if isinstance(loop.target, ast.Name) else ""
            every = method_of(loop.iter) == "range" and isinstance(loop.iter, ast.Call) and len(loop.iter.args) < 3
            if index and every and any(_is_window(each, index) for each in walk(part)):
                return True
    return False


def _is_window(node: ast.AST, index: str) -> bool:
    cut = node.slice if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) else None
    if cut is None or cut.lower is None or cut.upper is None:
        return False
    return written(cut.lower) == index and written(cut.upper).startswith(f"{index} +")
