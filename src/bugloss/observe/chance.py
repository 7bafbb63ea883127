"""What a model reaches that ignores its inputs: the loss and accuracy of chance, from the labels that were seen."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from bugloss.core.network.loss import separates
from bugloss.observe.recording import LossFunction, Numbers, Recording

_MEAN = {"mean", "sum_over_batch_size", "auto", ""}
_FEW_TARGETS = 200  # the variance of fewer real targets is no safe yardstick


@dataclass(frozen=True, slots=True)
class Chance:
    """The loss of the best constant answer; ``accuracy`` is that of always predicting the most frequent class."""

    loss: float
    accuracy: float | None = None
    classes: int | None = None


def chance(recording: Recording) -> Chance | None:
    """The chance level of the training loss, where its kind and the labels determine it; None otherwise."""
    loss = only_loss(recording)
    if loss is None or loss.reduction not in _MEAN or is_weighted(recording, loss):
        return None
    if separates(loss.kind) or loss.kind == "binary-cross-entropy":
        return _of_classes(recording, loss)
    return _of_squares(recording) if loss.kind == "mse" else None


def is_weighted(recording: Recording, loss: LossFunction) -> bool:
    """Whether the loss is weighted, so that the chance level is not known."""
    return loss.weighted or any(data.class_weights for data in recording.data)


def only_loss(recording: Recording) -> LossFunction | None:
    """The loss function, where all that were called are of one kind."""
    kinds = {loss.kind for loss in recording.losses}
    return recording.losses[0] if len(kinds) == 1 else None


def class_count(recording: Recording) -> int | None:
    """The number of classes of the outputs; None where it is not known."""
    loss = only_loss(recording)
    if loss is None:
        return None
    if loss.kind == "binary-cross-entropy":
        return 2
    if not separates(loss.kind) or len(loss.output_shape) < 2:
        return None
    # Classes stand in the second place in PyTorch and in the last one in Keras; both agree for flat outputs.
    torch = recording.started is not None and recording.started.framework == "torch"
    width = loss.output_shape[1] if torch else loss.output_shape[-1]
    return width if width > 1 else None


def label_counts(recording: Recording) -> Mapping[str, int]:
    """How often each class occurs in the training data, as far as they were seen."""
    whole = [data.targets for data in recording.data if data.phase == "train" and data.targets is not None]
    looked = [batch.targets for batch in recording.batches if batch.phase == "train" and batch.targets is not None]
    counts: Counter[str] = Counter()
    for targets in whole[:1] if any(target.counts for target in whole) else looked:
        if targets.encoding != "multi-label":
            counts.update(targets.counts)
    return counts


def _of_classes(recording: Recording, loss: LossFunction) -> Chance | None:
    counts, classes = label_counts(recording), class_count(recording)
    total = sum(counts.values())
    if total and len(counts) < 64:  # longer tables are cut off, so their shares say nothing
        shares = [count / total for count in counts.values() if count > 0]
        entropy = -sum(part * math.log(part) for part in shares)
        return Chance(entropy, max(shares), classes or len(shares)) if entropy > 0 else None
    if classes is None or any(_multi_label(recording)):
        return None
    return Chance(math.log(classes), 1 / classes, classes)


def _multi_label(recording: Recording) -> list[bool]:
    seen = [batch.targets for batch in recording.batches] + [data.targets for data in recording.data]
    return [targets.encoding == "multi-label" for targets in seen if targets is not None]


def _of_squares(recording: Recording) -> Chance | None:
    """The variance of the targets, where they are one column: with several, each has a mean of its own."""
    whole = [data.target for data in recording.data if data.phase == "train" and data.target is not None]
    seen = [batch.target for batch in recording.batches if batch.phase == "train" and batch.target is not None]
    parts = [numbers for numbers in whole[:1] or seen if _one_column(numbers) and math.isfinite(numbers.std)]
    if sum(numbers.shape[0] for numbers in parts) < _FEW_TARGETS:
        return None
    centre = fmean(numbers.mean for numbers in parts)
    variance = fmean(numbers.std**2 + (numbers.mean - centre) ** 2 for numbers in parts)
    return Chance(variance) if variance > 0 and math.isfinite(variance) else None


def _one_column(numbers: Numbers) -> bool:
    return bool(numbers.shape) and math.prod(numbers.shape[1:]) == 1
