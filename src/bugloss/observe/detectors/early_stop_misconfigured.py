"""early-stop-misconfigured."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.metric import Better, better_when
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

Problem = tuple[Severity, str]

_SMALLER, _LARGER = ("min", "less"), ("max", "greater")
_EARLY = 0.5  # of the epochs that were asked for: stopping later costs little
_VALIDATED = [2.2, 1.8, 1.4, 1.1, 0.9]


def _stopping(**facts: object) -> tuple[Occasion, ...]:
    return (Occasion("early-stop", 0, facts={"callback": "EarlyStopping", "epochs": 10, **facts}),)


class EarlyStopMisconfigured(Detector):
    """Early stopping, or the choice of the best model, monitors the wrong quantity.

    ## What it finds
    Callbacks that monitor a quantity that is not logged, that treat a falling accuracy or a rising loss as an
    improvement, whose patience exceeds the run, or that stop at the first epoch without improvement.

    ## Why it hurts
    Training stops at the worst moment or not at all, and the model that is kept is not the best one.

    ## How it decides
    By the settings of the callback. A quantity that is not logged, and a direction that contradicts its name, are
    warnings. A patience as long as the run, a patience of one or less that ended training in its first half, and
    monitoring the training loss although there is a validation loss are advice.

    ## Known problems
    For custom metrics with unusual names the direction is not known.

    ## References
    ``keras.callbacks.EarlyStopping``; Bjarten/early-stopping-pytorch#16 (NaN counted as an improvement).
    """

    name = "early-stop-misconfigured"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(occasions=_stopping(monitor="val_loss", patience=3)),
        sketch(validation=_VALIDATED, occasions=_stopping(monitor="val_loss", mode="max", patience=3)),
        sketch(validation=_VALIDATED, occasions=_stopping(monitor="val_loss", mode="min", patience=50)),
        sketch(validation=_VALIDATED, occasions=_stopping(monitor="loss", mode="min", patience=3)),
    )
    healthy = (
        sketch(validation=_VALIDATED, occasions=_stopping(monitor="val_loss", mode="auto", better="less", patience=3)),
        sketch(
            validation_accuracies=[0.5, 0.8],
            occasions=_stopping(monitor="val_accuracy", mode="max", better="greater", patience=3),
        ),
        sketch(occasions=_stopping(patience=3)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        measured = _measured(recording)
        for occasion in recording.occasions:
            problem = _find_problem(recording, occasion, measured)
            if problem is None:
                continue
            severity, text = problem
            yield self.symptom(
                f"{occasion.facts.get('callback', 'Early stopping')} {text}.",
                step=occasion.step,
                site=occasion.site,
                severity=severity,
                monitor=str(occasion.facts.get("monitor")),
                mode=str(occasion.facts.get("mode", "")),
                patience=number(occasion.facts, "patience"),
            )


def _find_problem(recording: Recording, occasion: Occasion, measured: set[str]) -> Problem | None:
    facts = occasion.facts
    monitor = facts.get("monitor")
    if not isinstance(monitor, str):
        return None
    if measured and monitor not in measured:
        return Severity.WARNING, f"monitors {monitor}, which is not logged in any epoch"
    wrong = _wrong_direction(monitor, str(facts.get("mode", "")), str(facts.get("better", "")))
    if wrong is not None:
        return Severity.WARNING, f"treats {monitor} as better when it is {wrong}"
    return _of_patience(recording, occasion, monitor, measured) if occasion.kind == "early-stop" else None


def _wrong_direction(monitor: str, mode: str, better: str) -> str | None:
    right = better_when(monitor)
    if right is Better.LARGER and (mode in _SMALLER or better in _SMALLER):
        return "smaller"
    return "larger" if right is Better.SMALLER and (mode in _LARGER or better in _LARGER) else None


def _of_patience(recording: Recording, occasion: Occasion, monitor: str, measured: set[str]) -> Problem | None:
    patience, epochs = number(occasion.facts, "patience"), number(occasion.facts, "epochs")
    made = len(recording.epochs)
    if patience is None or epochs is None:
        return None
    if patience >= epochs > 1:
        return Severity.ADVICE, (
            f"has a patience of {patience:.0f} in a run of {epochs:.0f} epochs, so it can never stop it"
        )
    if patience <= 1 and 0 < made < _EARLY * epochs:
        return (
            Severity.ADVICE,
            f"has a patience of {patience:.0f} and stopped the run after {made} of {epochs:.0f} epochs",
        )
    if monitor == "loss" and "val_loss" in measured:
        return Severity.ADVICE, "monitors the training loss, although there is a validation loss"
    return None


def _measured(recording: Recording) -> set[str]:
    """The names of everything that an epoch reports."""
    names = {name for epoch in recording.epochs for name in epoch.metrics}
    for epoch in recording.epochs:
        known = {
            "loss": epoch.loss, "val_loss": epoch.validation_loss, "accuracy": epoch.accuracy, "acc": epoch.accuracy,
            "val_accuracy": epoch.validation_accuracy, "val_acc": epoch.validation_accuracy,
        }  # fmt: skip
        # A spelling that Keras did not report does not count, once it reports names at all.
        names |= {name for name, value in known.items() if value is not None and not epoch.metrics}
    return names | ({"lr", "learning_rate"} if names else set())
