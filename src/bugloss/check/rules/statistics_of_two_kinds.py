"""statistics-of-two-kinds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import add_argument
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, method_of, receiver_of, written


class StatisticsOfTwoKinds(Rule):
    """Mean and standard deviation of a standardization do not belong together.

    ## What it finds
    ``(x - mean) / std`` where the mean and the standard deviation were computed from different arrays, or one per
    column and the other over all values.

    ## Why it hurts
    The result is not standardized: features keep an offset or a scale of their own, and training and test data are
    prepared differently.

    ## Example
    ```python
    mean = x_train.mean(axis=0)
    std = x_train.std()
    x_train = (x_train - mean) / std
    ```

    ## Use instead
    ```python
    mean = x_train.mean(axis=0)
    std = x_train.std(axis=0)
    x_train = (x_train - mean) / std
    ```

    ## Known problems
    A deviation over all values on purpose, for columns of one unit, is reported.

    ## Fix safety
    Suggested where only the axis differs: the deviation gets the axis of the mean.

    ## References
    LeCun et al., Efficient BackProp (1998), section 4.3.
    """

    name = "statistics-of-two-kinds"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("std",)
    faulty = (
        """\
import numpy as np
import torch

def prepare(train, test):
    mean = train.mean(axis=0)
    std = train.std()
    return (train - mean) / std, (test - mean) / std
""",
        """\
import numpy as np
import keras

def prepare(x_train, x_test):
    mean, std = x_train.mean(axis=0), x_test.std(axis=0)
    return (x_test - mean) / (std + 1e-8)
""",
    )
    clean = (
        """\
import numpy as np
import torch

def prepare(train, test):
    mean = train.mean(axis=0)
    std = train.std(axis=0) + 1e-8
    center, spread = np.mean(train), np.std(train)
    deviation = (train - mean).std(axis=0)
    return (test - mean) / std, (test - center) / spread, (train - mean) / deviation
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
                continue
            if not isinstance(node.left, ast.BinOp) or not isinstance(node.left.op, ast.Sub):
                continue
            mean = _statistic(program, node.left.right, "mean", "nanmean", "reduce_mean")
            std = _statistic(program, node.right, "std", "nanstd", "reduce_std")
            if mean is None or std is None:
                continue
            if _of(mean) != _of(std) and written(node.left.right) not in _of(std):
                message = f"the mean is that of {_of(mean)} and the standard deviation that of {_of(std)}"
                yield self.finding(program, node, message)
            elif _axis(mean) and not _axis(std) and _of(mean) == _of(std):
                message = (
                    f"the mean is taken over {_axis(mean)}, the standard deviation over all values: add {_axis(mean)}"
                )
                fix = suggested(add_argument(program, std, _axis(mean)))
                yield self.finding(program, std, message, fix=fix)


_LIBRARIES = {"np", "numpy", "torch", "tf", "jnp", "math", "ops", "K"}


def _statistic(program: Program, node: ast.expr, *names: str) -> ast.Call | None:
    """The call that computes a mean or a deviation, without the small number that is added to it."""
    found = definition(program, node)
    if isinstance(found, ast.BinOp) and isinstance(found.op, ast.Add):
        found = definition(program, found.left)
    if isinstance(found, ast.Call) and method_of(found) in {"clip", "clamp", "maximum", "where"}:
        found = found.args[0] if found.args and _library(found) else receiver_of(found) or found
    return found if isinstance(found, ast.Call) and method_of(found) in names else None


def _library(call: ast.Call) -> bool:
    owner = receiver_of(call)
    return owner is None or written(owner).split(".")[0] in _LIBRARIES


def _of(call: ast.Call) -> str:
    """What the statistic is of."""
    owner = call.args[0] if _library(call) and call.args else receiver_of(call)
    return written(owner) if owner is not None else ""


def _axis(call: ast.Call) -> str:
    """The axis as it is passed; the empty text for all values."""
    for name in ("axis", "dim"):
        given = keyword_of(call, name)
        if given is not None and not is_constant(given, None):
            return f"{name}={written(given)}"
    rest = call.args[1:] if _library(call) else call.args
    return written(rest[0]) if rest else ""
