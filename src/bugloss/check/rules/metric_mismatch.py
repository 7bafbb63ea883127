"""metric-mismatch."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.activation import activation
from bugloss.core.network.metric import metric, metric_misfit
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.heads import TrainedHead, trained_heads
from bugloss.source.program import Program
from bugloss.source.semantics.keras_training import metrics_of
from bugloss.source.values.values import Constant, Other, Reference, Value, text_of

_HALF = 0.5  # the threshold for probabilities, which metrics have by default


class MetricMismatch(Rule):
    """A metric reads other outputs or targets than the loss is trained with.

    ## What it finds
    Metrics of ``compile`` in Keras: accuracy for a regression, a metric for one-hot rows beside a loss for class
    indices and the reverse, a metric with a threshold at 0.5 on a network that gives logits, and ``binary_accuracy``
    for exclusive classes.

    ## Why it hurts
    The metric is computed all the same and means nothing. Accuracy counts exact matches, for example: a regression
    almost never predicts a value exactly, so it stays near zero, and selecting epochs or models by it selects noise.

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
    A classifier that is trained with a squared error through a sigmoid or softmax is not reported, and neither is a
    metric whose threshold is another number than 0.5.

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
        """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(4, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["categorical_accuracy"])
""",
        """\
import keras
from keras.layers import Dense

model = keras.Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1)])
model.compile(optimizer="adam", loss=keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
""",
        """\
import keras
from keras.layers import Dense

model = keras.Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1)])
loss = keras.losses.BinaryCrossentropy(from_logits=True)
model.compile("adam", loss, metrics=[keras.metrics.BinaryAccuracy(threshold=0.5)])
""",
        """\
import keras
from keras.layers import Dense

model = keras.Sequential([Dense(16, input_dim=3, activation="relu"), Dense(4, activation="softmax")])
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=[keras.metrics.BinaryAccuracy()])
""",
    )
    clean = (
        """\
import keras
from keras.layers import Dense

model = keras.Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1)])
model.compile(
    optimizer="adam",
    loss=keras.losses.BinaryCrossentropy(from_logits=True),
    metrics=[keras.metrics.BinaryAccuracy(threshold=0.0), keras.metrics.AUC(from_logits=True)],
)
other = keras.Sequential([Dense(16, input_dim=3, activation="relu"), Dense(4)])
other.compile(
    optimizer="adam",
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy", "sparse_categorical_accuracy"],
)
""",
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
            if trained.framework != "keras" or several or trained.model is None:
                continue
            if not trained.loss.regresses or _is_open(trained):
                reasons = (_misfit(trained, one) for one in metrics_of(trained.place.argument(2, "metrics")))
                reason = next(filter(None, reasons), "")
                if reason:
                    yield self.finding(program, trained.place.node, reason)


def _misfit(trained: TrainedHead, given: Value) -> str:
    """Why a metric does not suit; nothing where it is set to read logits."""
    kind = given.kind if isinstance(given, Other) else given.name if isinstance(given, Reference) else text_of(given)
    known = metric(kind or "", "keras")
    if known is None or (isinstance(given, Other) and _set_for_logits(given.arguments.get(known.scores_argument))):
        return ""
    logits = trained.from_logits is True and trained.head.activation == "linear" and trained.head.layer is not None
    return metric_misfit(known, trained.loss, trained.head.units, logits)


def _set_for_logits(argument: Value | None) -> bool:
    """Whether ``threshold`` or ``from_logits`` is given another value than the one for probabilities."""
    given = argument.value if isinstance(argument, Constant) else None
    return argument is not None and given is not False and given != _HALF


def _is_open(trained: TrainedHead) -> bool:
    known = activation(trained.head.activation)
    return known is not None and not known.narrows and trained.head.layer is not None
