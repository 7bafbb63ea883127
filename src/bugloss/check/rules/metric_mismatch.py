"""metric-mismatch."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.heads import TrainedHead, trained_heads
from bugloss.source.program import Program
from bugloss.source.semantics.keras_training import metric_name, metrics_of

_CLASS_METRICS = {"acc", "accuracy", "categorical_accuracy", "sparse_categorical_accuracy"}


class MetricMismatch(Rule):
    """A regression is measured with a classification metric.

    ## What it finds
    A Keras network with an unbounded output and a regression loss, compiled with accuracy or another classification
    metric.

    ## Why it hurts
    Accuracy counts exact matches. A regression almost never predicts a value exactly, so the metric stays near zero
    however good the network is, and selecting epochs or models by it selects noise.

    ## Example
    ```python
    model.add(Dense(1))
    model.compile(optimizer="adam", loss="mse", metrics=["accuracy"])
    ```

    ## Use instead
    ```python
    model.compile(optimizer="adam", loss="mse", metrics=["mae"])
    ```

    ## Known problems
    A classifier that is trained with a squared error through a sigmoid or softmax is not reported, and neither is
    ``BinaryAccuracy``, which rounds at a threshold.

    ## Fix safety
    No fix is offered: which error matters depends on what the author intends.

    ## References
    The catalogue's row metric-wrong; TheDeepChecker.
    """

    name = "metric-mismatch"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("heads",)
    words = ("metrics",)
    faulty = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1)])
model.compile(optimizer="adam", loss="mse", metrics=["accuracy"])
""",
    )
    clean = (
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1)])
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
""",
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(2, activation="sigmoid")])
model.compile(optimizer="adam", loss="mse", metrics=["accuracy"])
""",
        """\
from keras.models import Sequential
from keras.layers import Dense

def build(loss):
    model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1)])
    model.compile(optimizer="adam", loss=loss, metrics=["accuracy"])
    return model
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for trained in trained_heads(program):
            several = trained.model is not None and len(trained.model.outputs) > 1
            if trained.framework == "keras" and not several and trained.loss.regresses and _is_open(trained):
                for metric in metrics_of(trained.place.argument(2, "metrics")):
                    name = metric_name(metric)
                    if name in _CLASS_METRICS:
                        message = f"{name} counts exact matches, but {trained.loss.name} trains a regression"
                        yield self.finding(program, trained.place.node, message)
                        break


def _is_open(trained: TrainedHead) -> bool:
    return (
        trained.head.activation in {"linear", "relu", "leaky_relu", "elu", "softplus"}
        and trained.head.layer is not None
    )
