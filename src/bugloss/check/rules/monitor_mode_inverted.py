"""monitor-mode-inverted."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.metric import Better, better_when
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.values.values import Constant, Operation, Other, Value, text_of

_PACKAGES = ("keras", "pytorch_lightning", "lightning", "lightning.pytorch")
_MODES = {Better.LARGER: ("max", "lowest"), Better.SMALLER: ("min", "highest")}


class MonitorModeInverted(Rule):
    """A callback selects the worst epoch instead of the best.

    ## What it finds
    A callback whose ``mode`` is "min" for a metric that should increase (accuracy, AUC, precision, recall, F1), or
    "max" for a loss or an error.

    ## Why it hurts
    EarlyStopping treats every improvement as a failure and stops early; with ``restore_best_weights`` or
    ``save_best_only`` the worst weights are kept.

    ## Example
    ```python
    EarlyStopping(monitor="val_auc", mode="min")
    ```

    ## Use instead
    ```python
    EarlyStopping(monitor="val_auc", mode="max")
    ```

    ## Known problems
    Metrics whose name does not show the direction are not reported.

    ## Fix safety
    Suggested: ``mode`` is set to the other direction.

    ## References
    Documentation of ``keras.callbacks``; EarlyStopping of Lightning has the same argument.
    """

    name = "monitor-mode-inverted"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.MONITOR
    groups = ("callbacks",)
    words = ("mode",)
    faulty = (
        """\
import keras

stopper = keras.callbacks.EarlyStopping(monitor="val_auc", mode="min", patience=3)
""",
        """\
from pytorch_lightning.callbacks import ModelCheckpoint

best = ModelCheckpoint(monitor="val_loss", mode="max")
""",
    )
    clean = (
        """\
import keras

stopper = keras.callbacks.EarlyStopping(monitor="val_auc", mode="max", patience=3)
slower = keras.callbacks.ReduceLROnPlateau(monitor="val_loss", mode="min")
automatic = keras.callbacks.EarlyStopping(monitor="val_accuracy", mode="auto")
""",
        """\
import keras

def make(monitor, mode):
    return [
        keras.callbacks.EarlyStopping(monitor=monitor, mode=mode),
        keras.callbacks.EarlyStopping(monitor="val_distance", mode="max"),
    ]
""",
    )
    fixed = {  # noqa: RUF012
        0: """\
import keras

stopper = keras.callbacks.EarlyStopping(monitor="val_auc", mode="max", patience=3)
""",
    }

    def check(self, program: Program) -> Iterator[Finding]:
        for name in ("EarlyStopping", "ModelCheckpoint", "ReduceLROnPlateau"):
            for operation in program.calls(*(f"{package}.callbacks.{name}" for package in _PACKAGES)):
                monitor, mode = _argument(operation, "monitor"), _argument(operation, "mode")
                better = better_when(text_of(monitor) or "")
                wanted, worst = _MODES[better] if better is not None else ("", "")
                if text_of(mode) in {"min", "max"} and wanted and text_of(mode) != wanted:
                    message = f"{name} selects the {worst} {text_of(monitor)}: mode should be {wanted}"
                    node = mode.node if isinstance(mode, Constant) else None
                    fix = (
                        replace_node(program, node, f'"{wanted}"', f"set mode to {wanted}")
                        if node is not None
                        else None
                    )
                    yield self.finding(program, operation.node, message, fix=fix)


def _argument(operation: Operation, name: str) -> Value:
    made = operation.result
    if isinstance(made, Other) and name in made.arguments:
        return made.arguments[name]
    return operation.argument(-1, name)
