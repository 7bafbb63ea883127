"""metric-arguments-swapped."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.metric import metrics_of_library
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import swap_nodes
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of


class MetricArgumentsSwapped(Rule):
    """The targets and predictions of a metric are swapped.

    ## What it finds
    A metric of scikit-learn that is not symmetric (precision, recall, R², ROC AUC, log loss, confusion matrix …)
    whose first argument is named as a prediction and whose second as the truth.

    ## Why it hurts
    Scikit-learn's metrics take ``(y_true, y_pred)``. Swapped, precision and recall change places, R² is measured
    against the wrong variance, and rows and columns of the confusion matrix are exchanged.

    ## Example
    ```python
    print(precision_score(y_pred, y_test))
    ```

    ## Use instead
    ```python
    print(precision_score(y_test, y_pred))
    ```

    ## Known problems
    The roles are recognised by the names.

    ## Fix safety
    Suggested: the two arguments change places.

    ## References
    scikit-learn documentation, "Metrics and scoring".
    """

    name = "metric-arguments-swapped"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("metric",)
    words = ("_score", "confusion_matrix", "classification_report", "log_loss", "curve")
    faulty = (
        """\
from sklearn.metrics import recall_score

def report(model, x_test, y_test):
    y_pred = model.predict(x_test).argmax(1)
    return recall_score(y_pred, y_test)
""",
    )
    clean = (
        """\
from sklearn.metrics import accuracy_score, r2_score, recall_score

def report(y_true, y_pred, a, b):
    return recall_score(y_true, y_pred), r2_score(a, b), accuracy_score(y_pred, y_true)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called(*_ONE_WAY):
            if not (program.names.qualified(call.func) or "").startswith("sklearn.metrics") or len(call.args) < 2:
                continue
            first, second = (_name(argument) for argument in call.args[:2])
            if _PREDICTED.search(first) and _TRUE.search(second) and not _PREDICTED.search(second):
                message = f"{method_of(call)} takes the truth first: {method_of(call)}({second}, {first})"
                fix = suggested(swap_nodes(program, call.args[0], call.args[1]))
                yield self.finding(program, call, message, fix=fix)


_ONE_WAY = tuple(row.name for row in metrics_of_library("sklearn") if not row.symmetric)
_PREDICTED = re.compile(
    r"(^|_)(pred|preds|predicted|predictions?|y_?hat|probs?|probabilit\w*|outputs?|logits|guess\w*)($|_)"
)
_TRUE = re.compile(r"(^|_)(true|truth|test|labels?|targets?|actual|gold|expected|y)($|_)")


def _name(node: ast.expr) -> str:
    """The name that tells what an argument is, behind casts and methods."""
    while isinstance(node, ast.Call | ast.Subscript):
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node.func, ast.Attribute) and not node.args:
            node = node.func.value
        elif node.args:
            node = node.args[0]
        else:
            break
    return last_part(node).lower()
