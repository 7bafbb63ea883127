"""patience-never-reached."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.training.keras_fits import fits
from bugloss.source.values.values import UNKNOWN, integer_of, truth_of


class PatienceNeverReached(Rule):
    """Early stopping waits longer than training lasts.

    ## What it finds
    An EarlyStopping callback whose ``patience`` is at least the number of epochs of the ``fit`` that uses it.

    ## Why it hurts
    Training always ends before the patience is used up: the callback never stops training and, in releases before
    Keras 3, never restores the best weights.

    ## Example
    ```python
    model.fit(x, y, epochs=10, callbacks=[EarlyStopping(patience=10)])
    ```

    ## Use instead
    ```python
    model.fit(x, y, epochs=100, callbacks=[EarlyStopping(patience=10)])
    ```

    ## Known problems
    With ``restore_best_weights=True`` Keras 3 still restores them at the end; the finding is then advice.

    ## Fix safety
    No fix is offered: either number can be wrong.

    ## References
    The row early-stop of the catalogue; documentation of ``keras.callbacks.EarlyStopping``.
    """

    name = "patience-never-reached"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.MONITOR
    groups = ("callbacks",)
    words = ("EarlyStopping",)
    faulty = (
        """\
import keras
from keras import layers

def train(x, y):
    model = keras.Sequential([layers.Dense(1)])
    model.compile("adam", "mse")
    stopper = keras.callbacks.EarlyStopping(monitor="loss", patience=20)
    model.fit(x, y, epochs=10, callbacks=[stopper])
""",
    )
    clean = (
        """\
import keras
from keras import layers

def train(x, y, epochs):
    model = keras.Sequential([layers.Dense(1)])
    model.compile("adam", "mse")
    stopper = keras.callbacks.EarlyStopping(monitor="loss", patience=20)
    model.fit(x, y, epochs=epochs, callbacks=[stopper])
""",
        """\
import keras
from keras import layers

def train(x, y):
    model = keras.Sequential([layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y, epochs=30, callbacks=[keras.callbacks.EarlyStopping(monitor="loss", patience=5)])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for fit in fits(program):
            for watcher in fit.watchers:
                patience = integer_of(watcher.arguments.get("patience", UNKNOWN))
                if not watcher.kind.endswith("EarlyStopping") or patience is None or fit.epochs is None:
                    continue
                if patience >= fit.epochs > 1:
                    message = f"EarlyStopping waits {patience} epochs, but training has only {fit.epochs}"
                    restores = truth_of(watcher.arguments.get("restore_best_weights", UNKNOWN))
                    yield self.finding(program, watcher.node, message, severity=Severity.ADVICE if restores else None)
