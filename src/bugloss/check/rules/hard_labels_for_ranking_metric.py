"""hard-labels-for-ranking-metric."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.metric import MetricInput, metrics_of_library
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import method_of, receiver_of

_METRICS = tuple(row.name for row in metrics_of_library("sklearn") if row.reads is MetricInput.RANKING)


class HardLabelsForRankingMetric(Rule):
    """A metric of ranked scores gets hard labels.

    ## What it finds
    ``roc_auc_score``, ``average_precision_score``, ``roc_curve`` or ``precision_recall_curve`` whose scores are the
    result of ``argmax``, ``round`` or a comparison.

    ## Why it hurts
    These metrics look at the order of the scores. With labels of 0 and 1 there is one threshold left, and the value
    is the balanced accuracy at best.

    ## Example
    ```python
    auc = roc_auc_score(y_test, (probabilities > 0.5).astype(int))
    ```

    ## Use instead
    ```python
    auc = roc_auc_score(y_test, probabilities)
    ```

    ## Known problems
    Values that come from another function are not followed.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    scikit-learn documentation of ``roc_auc_score``.
    """

    name = "hard-labels-for-ranking-metric"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("metric",)
    words = _METRICS
    faulty = (
        """\
from sklearn.metrics import roc_auc_score

def report(model, x, y):
    guess = (model.predict(x) > 0.5).astype(int)
    return roc_auc_score(y, guess)
""",
    )
    clean = (
        """\
from sklearn.metrics import roc_auc_score

def report(model, x, y):
    scores = model.predict(x).ravel()
    return roc_auc_score(y, scores), roc_auc_score(y == 1, scores)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called(*_METRICS):
            given = argument_node(call, 1, "y_score", "probas_pred", "y_pred")
            if given is not None and _is_hard(program, given):
                message = f"{method_of(call)} ranks scores, but gets hard labels: pass the probabilities"
                yield self.finding(program, call, message)


_PASSED_ON = {"astype", "int", "float", "numpy", "cpu", "ravel", "flatten", "squeeze", "long", "reshape", "detach"}


def _is_hard(program: Program, node: ast.expr) -> bool:
    found = definition(program, node)
    for _ in range(8):
        if isinstance(found, ast.Compare) or method_of(found) in {"argmax", "round", "where"}:
            return True
        inner = receiver_of(found) if isinstance(found, ast.Call) and method_of(found) in _PASSED_ON else None
        if inner is None:
            return False
        found = definition(program, inner)
    return False
