"""metric-of-wrong-predictions."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.metric import MetricInput, metrics_of_library
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.lookback import made_by
from bugloss.source.program import Program
from bugloss.source.values.values import Tensor, Value


class MetricOfWrongPredictions(Rule):
    """A metric of scikit-learn gets probabilities where it needs classes, or the reverse.

    ## What it finds
    ``accuracy_score``, ``f1_score``, ``confusion_matrix`` and others that count classes, called with what
    ``model.predict`` of Keras returns; ``roc_auc_score`` and other metrics of a ranking, called with predicted classes.

    ## Why it hurts
    Counting metrics stop with "Classification metrics can't handle a mix of binary and continuous targets". An area
    under the curve from classes is that of a curve with one point: it is too low and says nothing about the threshold.

    ## Example
    ```python
    prediction = model.predict(x_test)
    accuracy_score(y_test, prediction)
    ```

    ## Use instead
    ```python
    prediction = model.predict(x_test).argmax(axis=1)
    accuracy_score(y_test, prediction)
    ```

    ## Known problems
    Predictions that are collected in a list are not followed.

    ## Fix safety
    No fix is offered: the threshold or the axis is the author's choice.

    ## References
    scikit-learn documentation, "Metrics and scoring".
    """

    name = "metric-of-wrong-predictions"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("metric",)
    words = ("sklearn",)
    faulty = (
        """\
import keras
from sklearn.metrics import accuracy_score

def judge(x_train, y_train, x_test, y_test):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(x_train, y_train)
    prediction = model.predict(x_test)
    return accuracy_score(y_test, prediction)
""",
        """\
import keras
import numpy as np
from sklearn.metrics import roc_auc_score

def judge(x_train, y_train, x_test, y_test):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(x_train, y_train)
    prediction = np.argmax(model.predict(x_test), axis=1)
    return roc_auc_score(y_test, prediction)
""",
    )
    clean = (
        """\
import keras
import numpy as np
from sklearn.metrics import accuracy_score, confusion_matrix, roc_auc_score

def judge(x_train, y_train, x_test, y_test):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(x_train, y_train)
    prediction = model.predict(x_test)
    roc_auc_score(y_test, prediction, multi_class="ovr")
    classes = np.argmax(prediction, axis=1)
    return accuracy_score(y_test, classes), confusion_matrix(y_test, prediction > 0.5)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for known in metrics_of_library("sklearn"):
            for operation in program.calls(f"sklearn.metrics.{known.name}"):
                given = "y_score" if "y_score" in operation.keywords else "y_pred"
                predicted = operation.argument(1, given)
                if known.reads is MetricInput.CLASSES and _is_raw(predicted):
                    message = f"{known.name} counts classes, but gets probabilities: use argmax or a threshold"
                    yield self.finding(program, operation.node, message)
                elif known.reads is MetricInput.RANKING and made_by(predicted, "argmax", "round"):
                    message = f"{known.name} ranks by scores, but gets predicted classes: pass the probabilities"
                    yield self.finding(program, operation.node, message)


def _is_raw(value: Value) -> bool:
    """Whether a value is what a network of Keras predicts, as it is."""
    return isinstance(value, Tensor) and value.made_by == "Model.predict" and bool(value.inputs)
