"""rising-metric-taken-as-loss."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.releases.checked_release import keras_release
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.metric import Better, better_when
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import add_argument
from bugloss.source.program import Program
from bugloss.source.text.syntax import is_constant, keyword_of, last_part, method_of, receiver_of, spreads, walk


class RisingMetricTakenAsLoss(Rule):
    """A metric that should increase is treated as one that should decrease.

    ## What it finds
    ``ReduceLROnPlateau`` of PyTorch in its default mode "min" that is stepped with an accuracy or a score; and
    callbacks of Keras 2 without ``mode`` that monitor a metric whose direction Keras cannot tell from its name.

    ## Why it hurts
    Every improvement counts as a bad epoch: the learning rate is reduced, or the training stopped and the worst
    weights restored, while the network gets better.

    ## Example
    ```python
    scheduler = ReduceLROnPlateau(optimizer, patience=3)
    scheduler.step(val_accuracy)
    ```

    ## Use instead
    ```python
    scheduler = ReduceLROnPlateau(optimizer, mode="max", patience=3)
    scheduler.step(val_accuracy)
    ```

    ## Known problems
    Names decide in which direction a quantity improves.

    ## Fix safety
    Suggested: ``mode="max"`` is added.

    ## References
    PyTorch documentation of ``ReduceLROnPlateau``; source of ``keras.callbacks.EarlyStopping`` in Keras 2.
    """

    name = "rising-metric-taken-as-loss"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.MONITOR
    groups = ("callbacks",)
    words = ("ReduceLROnPlateau", "EarlyStopping", "ModelCheckpoint")
    faulty = (
        """\
import torch

def fit(model, optimizer, epochs, run_epoch, validate):
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
    for epoch in range(epochs):
        run_epoch(model, optimizer)
        val_acc = validate(model)
        scheduler.step(val_acc)
""",
        """\
from tensorflow import keras

stop = keras.callbacks.EarlyStopping(monitor="val_f1", patience=5, restore_best_weights=True)
""",
    )
    clean = (
        """\
import torch

def fit(model, optimizer, epochs, run_epoch, validate):
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=2)
    falling = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
    for epoch in range(epochs):
        val_loss = run_epoch(model, optimizer)
        scheduler.step(validate(model))
        falling.step(val_loss)
""",
        """\
from tensorflow import keras

stop = keras.callbacks.EarlyStopping(monitor="val_accuracy", patience=5)
other = keras.callbacks.EarlyStopping(monitor="val_loss", patience=5)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        yield from self._schedulers(program)
        yield from self._callbacks(program)

    def _schedulers(self, program: Program) -> Iterator[Finding]:
        for step in program.called("step"):
            owner = receiver_of(step)
            made = definition(program, owner) if owner is not None and step.args else None
            if method_of(made) != "ReduceLROnPlateau" or not isinstance(made, ast.Call) or spreads(made):
                continue
            names = [last_part(part) for part in walk(step.args[0]) if isinstance(part, ast.Name | ast.Attribute)]
            rising = next((name for name in names if _rises(name)), None)
            if rising is not None and keyword_of(made, "mode") is None and len(made.args) < 2:
                message = f'ReduceLROnPlateau waits for {rising} to fall: pass mode="max"'
                yield self.finding(program, made, message, fix=suggested(add_argument(program, made, 'mode="max"')))

    def _callbacks(self, program: Program) -> Iterator[Finding]:
        if "tensorflow" not in program.names.roots or (keras_release(program) or (2, 0)) >= (3, 0):
            return
        for call in program.called("EarlyStopping", "ModelCheckpoint"):
            mode, monitor = keyword_of(call, "mode"), keyword_of(call, "monitor")
            given = mode is not None and not is_constant(mode, "auto")
            name = monitor.value if isinstance(monitor, ast.Constant) and isinstance(monitor.value, str) else ""
            if not given and _rises(name) and not _KNOWN_TO_KERAS.search(name):
                message = f'without mode, {method_of(call)} takes {name} for a quantity to minimise: pass mode="max"'
                yield self.finding(program, call, message, fix=suggested(add_argument(program, call, 'mode="max"')))


_OTHERS_THAT_RISE = {"score", "reward", "return"}
_KNOWN_TO_KERAS = re.compile(r"acc|auc$|^fmeasure")


def _rises(name: str) -> bool:
    better = better_when(name)
    others = _OTHERS_THAT_RISE & set(re.split(r"[_\W]+", name.lower()))
    return better is Better.LARGER or (better is None and bool(others) and "loss" not in name.lower())
