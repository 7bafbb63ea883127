"""unlogged-monitor."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.semantics.keras_training import spelled
from bugloss.source.training.keras_fits import KerasFit, fits, logged_names
from bugloss.source.values.values import UNKNOWN, Constant, Other, text_of, truth_of

_ACCURACIES = {"acc", "accuracy", "categorical_accuracy", "sparse_categorical_accuracy", "binary_accuracy"}


class UnloggedMonitor(Rule):
    """A callback monitors a metric that training does not log.

    ## What it finds
    EarlyStopping, ReduceLROnPlateau, or ModelCheckpoint with ``save_best_only``, whose ``monitor`` starts with
    ``val_`` while ``fit`` has no validation data, or names a metric that is not passed to ``compile``.

    ## Why it hurts
    The callback warns once and then does nothing: training never stops early, the learning rate never decreases, no
    best weights are saved.

    ## Example
    ```python
    model.fit(x, y, epochs=50, callbacks=[EarlyStopping(monitor="val_loss")])
    ```

    ## Use instead
    ```python
    model.fit(x, y, epochs=50, validation_split=0.2, callbacks=[EarlyStopping(monitor="val_loss")])
    ```

    ## Known problems
    Networks with several outputs log more names and are only checked for missing validation data.

    ## Fix safety
    No fix is offered: the validation data or the metric has to be chosen.

    ## References
    Documentation of ``keras.callbacks.EarlyStopping``.
    """

    name = "unlogged-monitor"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.MONITOR
    groups = ("callbacks",)
    words = ("EarlyStopping", "ReduceLROnPlateau", "ModelCheckpoint")
    faulty = (
        """\
import keras
from keras import layers

def train(x, y):
    model = keras.Sequential([layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y, epochs=50, callbacks=[keras.callbacks.EarlyStopping(patience=3)])
""",
        """\
import keras
from keras import layers

def train(x, y):
    stopper = keras.callbacks.EarlyStopping(monitor="val_auc", mode="max")
    model = keras.Sequential([layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(x, y, epochs=50, validation_split=0.2, callbacks=[stopper])
""",
    )
    clean = (
        """\
import keras
from keras import layers

def train(x, y):
    model = keras.Sequential([layers.Dense(1)])
    model.compile("adam", "mse", metrics=["mae"])
    watchers = [keras.callbacks.EarlyStopping("val_mae"), keras.callbacks.ReduceLROnPlateau(monitor="loss")]
    model.fit(x, y, epochs=50, validation_split=0.2, callbacks=watchers)
""",
        """\
import keras

def train(model, x, y, **options):
    model.fit(x, y, callbacks=[keras.callbacks.EarlyStopping()], **options)
    model.fit(x, y, callbacks=[keras.callbacks.ModelCheckpoint("weights.keras")])
""",
        """\
import keras
from keras import layers

def train(x, y):
    stopper = keras.callbacks.EarlyStopping(monitor="val_auc", mode="max")
    model = keras.Sequential([layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=[keras.metrics.AUC()])
    model.fit(x, y, epochs=50, validation_split=0.2, callbacks=[stopper])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for fit in fits(program):
            for watcher in fit.watchers:
                reason = _reason(fit, watcher)
                if reason is not None:
                    yield self.finding(program, watcher.node, f"{watcher.kind.rsplit('.', 1)[-1]} {reason}")


def _reason(fit: KerasFit, watcher: Other) -> str | None:
    """Why the watched number is never there; None when it is or may be."""
    if (
        watcher.kind.endswith("ModelCheckpoint")
        and truth_of(watcher.arguments.get("save_best_only", UNKNOWN)) is not True
    ):
        return None
    monitor = text_of(watcher.arguments.get("monitor", Constant("val_loss")))
    if monitor is None:
        return None
    if monitor.startswith("val_") and fit.validates is False:
        return f"monitors {monitor}, but fit has no validation data"
    logged = logged_names(fit.model) if fit.model is not None else None
    name = monitor.removeprefix("val_")
    if logged is None or fit.model is None or {name, spelled(name)} & logged or _is_variant(name, logged):
        return None
    return f"monitors {monitor}, but only {', '.join(sorted(logged - {'lr', 'learning_rate'}))} are logged"


def _is_variant(name: str, logged: set[str]) -> bool:
    """Releases number metrics (auc_1) and have called accuracy acc; spellings of one metric are not distinguished."""
    if name in _ACCURACIES:
        return bool(_ACCURACIES & logged)
    return any(name.startswith(f"{known}_") or known.replace("_", "") == name.replace("_", "") for known in logged)
