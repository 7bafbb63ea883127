"""How well a run has learned, judged by accuracy against guessing or by loss against what knowing nothing costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from statistics import fmean, median

from bugloss.observe.heads import CLASSIFYING, REGRESSING, class_width
from bugloss.observe.labels import batches_of, counts, data_of, entropy, majority_share
from bugloss.observe.recording import LossFunction, Numbers, Recording
from bugloss.observe.trends import finite

_WELL_SCORE, _POOR_SCORE = 0.7, 0.15
_WELL_RATIO, _POOR_RATIO = 0.3, 0.9
_WELL_FALL, _POOR_FALL = 0.1, 0.9


class Learning(Enum):
    """What came of a run."""

    WELL = "well"
    PARTLY = "partly"
    NOT = "not"
    UNKNOWN = "unknown"


def learning(recording: Recording) -> Learning:
    """How well a run has learned by its end. Several optimizers pull at several losses: nobody can tell from one."""
    if len({optimizer.optimizer for optimizer in recording.optimizers}) > 1:
        return Learning.UNKNOWN
    losses = recording.loss_values
    if losses and not all(math.isfinite(value) for value in losses[-3:]):
        return Learning.NOT
    score = _score(recording)
    if score is not None:
        return _graded(score, _WELL_SCORE, _POOR_SCORE)
    ratio = remaining(recording)
    if ratio is not None:
        return _graded(-ratio, -_WELL_RATIO, -_POOR_RATIO)
    return _by_fall(finite(losses))


def remaining(recording: Recording) -> float | None:
    """The last loss as a share of what a model pays that knows only how the targets are distributed."""
    losses = finite(recording.loss_values)
    loss = recording.losses[0] if recording.losses else None
    if len(losses) < 2 or loss is None or loss.reduction != "mean":
        return None
    baseline = _baseline(recording, loss)
    return last_level(losses) / baseline if baseline else None


def first_level(losses: Sequence[float]) -> float:
    """The loss at the start: the median of the first twentieth, three values at least."""
    return median(losses[: max(3, len(losses) // 20)])


def last_level(losses: Sequence[float]) -> float:
    """The loss at the end: the median of the last tenth, three values at least."""
    return median(losses[-max(3, len(losses) // 10) :])


def target_numbers(recording: Recording) -> Numbers | None:
    """The training targets in numbers: of all samples, else of the first batch that was looked at."""
    data = data_of(recording, "train")
    if data is not None and data.target is not None:
        return data.target
    return next((batch.target for batch in batches_of(recording, "train") if batch.target is not None), None)


def training_accuracy(recording: Recording) -> float | None:
    """The accuracy on training data at the end."""
    epochs = finite(epoch.accuracy for epoch in recording.epochs)
    if epochs:
        return fmean(epochs[-3:])
    steps = finite(step.accuracy for step in recording.steps)
    return fmean(steps[-max(5, len(steps) // 10) :]) if len(steps) >= 5 else None


def _score(recording: Recording) -> float | None:
    """Where the accuracy lies between guessing (0) and perfect (1)."""
    accuracy = training_accuracy(recording)
    loss = recording.losses[0] if recording.losses else None
    if accuracy is None or loss is None or loss.kind not in CLASSIFYING:
        return None
    guess = majority_share(counts(recording, "train"))
    if guess is None or guess > 0.95:
        return None
    return (accuracy - guess) / (1 - guess)


def _baseline(recording: Recording, loss: LossFunction) -> float | None:
    if loss.kind == "mse":
        target = target_numbers(recording)
        return target.std**2 if target is not None and math.isfinite(target.std) and target.std > 0 else None
    if loss.kind not in CLASSIFYING:
        return None
    known = counts(recording, "train")
    if len(known) > 1:
        return entropy(known)
    if loss.kind == "binary-cross-entropy":
        return math.log(2)
    width = class_width(loss, recording.started.framework if recording.started else "torch")
    return math.log(width) if width and width > 1 else None


def _by_fall(losses: Sequence[float]) -> Learning:
    """Without a yardstick only a great fall, or none, says anything."""
    if len(losses) < 6 or min(losses) < 0:
        return Learning.UNKNOWN
    first, last = first_level(losses), last_level(losses)
    if first <= 0:
        return Learning.UNKNOWN
    if last <= _WELL_FALL * first:
        return Learning.WELL
    return Learning.NOT if last >= _POOR_FALL * first else Learning.UNKNOWN


def _graded(value: float, well: float, poor: float) -> Learning:
    if value >= well:
        return Learning.WELL
    return Learning.NOT if value <= poor else Learning.PARTLY


def is_regression(recording: Recording) -> bool:
    """Whether every loss in use compares numbers with numbers."""
    return bool(recording.losses) and all(loss.kind in REGRESSING for loss in recording.losses)
