"""accuracy-of-real-targets."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import regresses
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import main_loss
from bugloss.observe.labels import encoding
from bugloss.observe.recording import Recording, Targets
from bugloss.observe.sketch import sketch

_REAL = Targets("real")
_MSE = {"kind": "mse", "name": "mean_squared_error", "output_shape": (64, 1), "target_shape": (64, 1)}


class AccuracyOfRealTargets(Detector):
    """Accuracy is measured on targets that are real numbers.

    ## What it finds
    A regression, by loss and targets, that reports an accuracy.

    ## Why it hurts
    Accuracy counts exact matches, which real numbers never are. It stays near zero however good the model gets, so it
    is useless for monitoring and early stopping.

    ## How it decides
    The loss is a regression loss, the targets are real numbers, and an accuracy is reported. Training itself is not
    affected, so it is advice.

    ## Known problems
    None known.

    ## References
    ``keras.metrics.Accuracy``; TheDeepChecker (2023).
    """

    name = "accuracy-of-real-targets"
    severity = Severity.ADVICE
    category = Category.TRAINING
    faulty = (
        sketch(loss=_MSE, batch={"targets": _REAL}, accuracies=[0.0, 0.01]),
        sketch(loss=_MSE, batch={"targets": _REAL}, steps={"accuracy": 0.0}),
    )
    healthy = (
        sketch(accuracies=[0.5, 0.9]),
        sketch(loss=_MSE, batch={"targets": _REAL}),
        sketch(loss=_MSE, batch={"targets": Targets("binary", 2)}, accuracies=[0.5, 0.9]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        loss = main_loss(recording)
        measured = [epoch.accuracy for epoch in recording.epochs if epoch.accuracy is not None]
        measured += [step.accuracy for step in recording.steps if step.accuracy is not None]
        if loss is None or not regresses(loss.kind) or not measured or encoding(recording) != "real":
            return
        yield self.symptom(
            f"An accuracy is reported (at best {max(measured):.0%}), but the targets are real numbers, not classes.",
            step=0,
            site=loss.site,
            best_accuracy=max(measured),
        )
