"""scaled-by-own-statistics."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import functions_by_name
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, method_of, receiver_of, walk, written


class ScaledByOwnStatistics(Rule):
    """Test data are scaled with their own mean and deviation.

    ## What it finds
    ``(x_test - x_test.mean(0)) / x_test.std(0)``, or a function of the file that scales its argument with the
    argument's own statistics and is called for the training data and for the test data.

    ## Why it hurts
    The two parts are scaled differently: a test value means something else than the same value in training, and a
    single new sample cannot be scaled at all.

    ## Example
    ```python
    x_train = standardize(x_train)
    x_test = standardize(x_test)
    ```

    ## Use instead
    ```python
    mean, std = x_train.mean(0), x_train.std(0)
    x_train, x_test = (x_train - mean) / std, (x_test - mean) / std
    ```

    ## Known problems
    Scaling of each sample by itself (over its own pixels or steps) is not reported where the axis says so.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    scikit-learn, "Common pitfalls: inconsistent preprocessing".
    """

    name = "scaled-by-own-statistics"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = (".std(", ".max(", "np.std", ".var(")
    faulty = (
        """\
import numpy as np
import torch

def standardize(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)

x_train = standardize(x_train)
x_test = standardize(x_test)
""",
        """\
import numpy as np
import keras

x_train = (x_train - x_train.mean(0)) / x_train.std(0)
x_test = (x_test - x_test.mean(0)) / x_test.std(0)
""",
    )
    clean = (
        """\
import numpy as np
import torch

def standardize(x, mean, std):
    return (x - mean) / std

def per_sample(x):
    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)

mean, std = x_train.mean(0), x_train.std(0)
x_train = per_sample(standardize(x_train, mean, std))
x_test = per_sample(standardize(x_test, mean, std))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            name = _scaled_by_itself(node)
            if _HELD_OUT.search(name):
                yield self.finding(program, node, _MESSAGE.format(name))
        for functions in functions_by_name(program).values():
            for function in functions:
                names = [one.arg for one in function.args.args if one.arg != "self"]
                if len(names) == 1 and any(_scaled_by_itself(part) == names[0] for part in walk(function)):
                    yield from self._calls(program, function.name)

    def _calls(self, program: Program, name: str) -> Iterator[Finding]:
        calls = [(call, written(call.args[0])) for call in program.called(name) if call.args]
        trained = any(re.search(r"train|tr\b", text) for _, text in calls)
        for call, text in calls:
            if trained and _HELD_OUT.search(text):
                yield self.finding(program, call, _MESSAGE.format(text))


_MESSAGE = "{} is scaled with its own statistics: use the mean and deviation of the training data"
_HELD_OUT = re.compile(r"(^|_)(test|val|valid|validation|holdout|dev|te|va)(_|$|\[|ing)")
_SPREADS = {"std", "var", "max", "ptp"}


def _scaled_by_itself(node: ast.AST) -> str:
    """``x`` of ``(x - x.mean(0)) / x.std(0)``, over samples."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return ""
    above = node.left
    if not isinstance(above, ast.BinOp) or not isinstance(above.op, ast.Sub):
        return ""
    name = written(above.left)
    means = [part for part in walk(above.right) if method_of(part) in {"mean", "min"} and _of(part, name)]
    spreads = [part for part in walk(node.right) if method_of(part) in _SPREADS and _of(part, name)]
    return name if means and spreads else ""


def _of(node: ast.AST, name: str) -> bool:
    """A statistic of this array over its samples: the first axis, or all values."""
    if not isinstance(node, ast.Call):
        return False
    method = receiver_of(node)
    own = method is not None and written(method) == name
    rest = node.args if own else node.args[1:]
    if not own and not (node.args and written(node.args[0]) == name):
        return False
    axis = keyword_of(node, "axis") or keyword_of(node, "dim") or (rest[0] if rest else None)
    return axis is None or written(axis) == "0" or written(axis).startswith(("(0,", "[0,"))
