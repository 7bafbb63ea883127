"""initial-output-scale."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import regresses
from bugloss.core.taxonomy import Category
from bugloss.observe.chance import class_count, only_loss
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import Batch, Numbers, Recording
from bugloss.observe.sketch import noisy, sketch

_LARGE_LOGIT = 50.0  # exp(50) is beyond what any cross-entropy recovers from quickly; defaults give logits below 5
_TIMES_TARGETS = 100.0  # times the targets' scale: the squared error starts ten thousand times too large
_HUGE = Numbers((64, 10), "float32", -900.0, 1200.0, 3.0, 300.0)
_SQUARES = {"kind": "mse", "name": "MSELoss"}
_RAW = Numbers((64, 1), "float32", 1e5, 9e5, 4e5, 1e5)


class InitialOutputScale(Detector):
    """The model's outputs are very large before the first update.

    ## What it finds
    Logits beyond ±50, or predictions a hundred times larger than any target, on the first batch.

    ## Why it hurts
    Softmax and sigmoid are saturated from the start, or the first squared error and its gradients are extremely large.

    ## How it decides
    By the largest output of the first batch, before any update. A warning where the model does not learn either,
    otherwise advice.

    ## Known problems
    Large embeddings give large logits in models that train well nevertheless.

    ## References
    Fault catalogue, training dynamics: loss-initial; model structure: init-scale.
    """

    name = "initial-output-scale"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(noisy([40.0] * 100, 0.1), batch={"outputs": _HUGE}),
        sketch(batch={"outputs": _HUGE, "target": Numbers((64, 1), "float32", 0.0, 5.0, 2.0, 1.0)}, loss=_SQUARES),
    )
    healthy = (
        sketch(batch={"outputs": Numbers((64, 10), "float32", -20.0, 25.0, 0.0, 6.0)}),
        sketch(batch={"outputs": Numbers((64, 1), "float32", 0.0, 9e5, 4e5, 1e5), "target": _RAW}, loss=_SQUARES),
        sketch(
            batch={"outputs": Numbers((1, 2), "float32", 0.4, 0.6), "target": Numbers((1,), "float32", 0.002, 0.002)},
            loss=_SQUARES,
        ),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        first = next((batch for batch in recording.batches if batch.phase == "train" and batch.step == 0), None)
        if first is None or first.outputs is None:
            return
        largest, limit = _largest(first.outputs), _limit(recording, first)
        if limit is None or not largest > limit:
            return
        yield self.symptom(
            f"Before training the outputs reach {largest:.3g}; at most {limit:.3g} is expected.",
            step=0,
            severity=alarm_if_struggling(recording),
            largest=largest,
            limit=limit,
            output_std=first.outputs.std,
        )


def _limit(recording: Recording, batch: Batch) -> float | None:
    if class_count(recording) is not None:
        return _LARGE_LOGIT
    loss = only_loss(recording)
    if loss is None or not regresses(loss.kind) or batch.target is None or math.prod(batch.target.shape) < 2:
        return None  # a single target says nothing about their scale
    size = _largest(batch.target)
    return _TIMES_TARGETS * size if size > 0 and math.isfinite(size) else None


def _largest(numbers: Numbers) -> float:
    return max(abs(numbers.minimum), abs(numbers.maximum))
