"""refitted-on-test-data."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, rename_method
from bugloss.core.finding import Finding, Fix, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.semantics.sklearn_data import LEARNERS
from bugloss.source.values.values import Operation, Tensor

_TEST = re.compile(
    r"(^|_)(x|X|features|data|images|inputs)?_?(test|Test)(_?(x|X|features|data|set|images|inputs))?$|^testX$"
)
_FITS = tuple(f"sklearn.{name}.{method}" for name in LEARNERS for method in ("fit_transform", "fit"))


class RefittedOnTestData(Rule):
    """A scaler is fitted a second time, on the test data.

    ## What it finds
    ``fit_transform`` (or ``fit``) of a scikit-learn scaler, selector or imputer on test data, while one of the same
    kind was fitted on other data in the same file.

    ## Why it hurts
    The test data are scaled by their own mean and standard deviation. The same raw value is scaled differently in
    training and in the test, so the score does not predict the performance on new data.

    ## Example
    ```python
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.fit_transform(x_test)
    ```

    ## Use instead
    ```python
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.transform(x_test)
    ```

    ## Known problems
    Test data are recognised by a split in the same file or by their name.

    ## Fix safety
    Suggested when the same scaler was fitted on the training data before: ``transform`` changes the results, as
    intended.

    ## References
    scikit-learn documentation, "Common pitfalls: inconsistent preprocessing".
    """

    name = "refitted-on-test-data"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("sklearn",)
    faulty = (
        """\
from sklearn.preprocessing import StandardScaler

def prepare(x_train, x_test):
    scaler = StandardScaler()
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.fit_transform(x_test)
    return x_train, x_test
""",
    )
    clean = (
        """\
from sklearn.preprocessing import StandardScaler

def prepare(x_train, x_test):
    scaler = StandardScaler()
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.transform(x_test)
    return x_train, x_test
""",
        """\
from sklearn.preprocessing import MinMaxScaler, StandardScaler

def prepare(x, y, latest):
    return StandardScaler().fit_transform(x), MinMaxScaler().fit_transform(y), StandardScaler().fit_transform(latest)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
from sklearn.preprocessing import StandardScaler

def prepare(x_train, x_test):
    scaler = StandardScaler()
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.transform(x_test)
    return x_train, x_test
"""
    }

    def check(self, program: Program) -> Iterator[Finding]:
        on_test, elsewhere = [], defaultdict(list)
        for operation in program.calls(*_FITS):
            if _on_test(operation):
                on_test.append(operation)
            else:
                elsewhere[operation.name.rsplit(".", 1)[0]].append(operation)
        for operation in on_test:
            kind = operation.name.rsplit(".", 1)[0]
            earlier = elsewhere.get(kind)
            if earlier:
                message = (
                    f"{kind.rsplit('.', 1)[-1]} is fitted again on test data; use the one fitted on the training data"
                )
                yield self.finding(program, operation.node, message, fix=_transform(program, operation, earlier))


def _on_test(operation: Operation) -> bool:
    value = operation.argument(0, "X")
    if isinstance(value, Tensor) and "held-out" in value.facts:
        return True
    node = operation.node.args[0] if isinstance(operation.node, ast.Call) and operation.node.args else None
    return isinstance(node, ast.Name) and _TEST.search(node.id) is not None


def _transform(program: Program, operation: Operation, earlier: list[Operation]) -> Fix | None:
    node = operation.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "fit_transform":
        return None
    if not any(other.receiver is operation.receiver for other in earlier) or len(node.args) != 1 or node.keywords:
        return None
    return rename_method(program, node.func, "transform", "only transform the test data")
