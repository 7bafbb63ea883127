"""Training and validation side by side, one line for each time the model was validated."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bugloss.core.diagnosis import Site
from bugloss.observe.recording import Evaluation, Recording, TrainingStep


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Losses and accuracies of training and validation when the model was validated."""

    epoch: int
    step: int
    loss: float | None
    validation_loss: float | None
    accuracy: float | None
    validation_accuracy: float | None


Pair = tuple[Checkpoint, float, float]


def checkpoints(recording: Recording) -> tuple[Checkpoint, ...]:
    """The longest stretch of training that was validated; empty where validation is missing or ambiguous.

    The epochs are used where they contain validation. A handwritten loop may only show evaluations: they count when
    they are all of one sort, since it is not known which of several is the validation.
    """
    validated = _from_epochs(recording)
    return validated if len(validated) > 1 else _from_evaluations(recording)


def losses(found: Sequence[Checkpoint]) -> list[Pair]:
    """Checkpoints with their training and validation loss, where both are known."""
    return _pairs(found, lambda checkpoint: (checkpoint.loss, checkpoint.validation_loss))


def accuracies(found: Sequence[Checkpoint]) -> list[Pair]:
    """Checkpoints with their training and validation accuracy, where both are known."""
    return _pairs(found, lambda checkpoint: (checkpoint.accuracy, checkpoint.validation_accuracy))


def _pairs(found: Sequence[Checkpoint], both: Callable[[Checkpoint], tuple[float | None, float | None]]) -> list[Pair]:
    known = ((checkpoint, *both(checkpoint)) for checkpoint in found)
    return [
        (checkpoint, left, right)
        for checkpoint, left, right in known
        if left is not None and right is not None and math.isfinite(left) and math.isfinite(right)
    ]


def _from_epochs(recording: Recording) -> tuple[Checkpoint, ...]:
    stretches: list[list[Checkpoint]] = [[]]
    between = _Between(recording.steps)
    before, since = None, -1
    for epoch in recording.epochs:
        if before is not None and epoch.epoch <= before:  # fit was called anew
            stretches.append([])
        if epoch.validation_loss is not None or epoch.validation_accuracy is not None:
            loss, accuracy = between.means(since, epoch.step)
            checkpoint = Checkpoint(
                epoch.epoch,
                epoch.step,
                loss if epoch.loss is None else epoch.loss,
                epoch.validation_loss,
                accuracy if epoch.accuracy is None else epoch.accuracy,
                epoch.validation_accuracy,
            )
            stretches[-1].append(checkpoint)
        before, since = epoch.epoch, epoch.step
    longest = max(stretches, key=len)
    return tuple(longest)


def _from_evaluations(recording: Recording) -> tuple[Checkpoint, ...]:
    sorts: dict[tuple[Site | None, int], list[Evaluation]] = {}
    for evaluation in recording.evaluations:
        if evaluation.loss is not None or evaluation.accuracy is not None:
            sorts.setdefault((evaluation.site, evaluation.samples), []).append(evaluation)
    repeated = [found for found in sorts.values() if len(found) > 1]
    if len(repeated) != 1:
        return ()
    checked, since, between = [], -1, _Between(recording.steps)
    for number, evaluation in enumerate(repeated[0]):
        loss, accuracy = between.means(since, evaluation.step)
        checked.append(Checkpoint(number, evaluation.step, loss, evaluation.loss, accuracy, evaluation.accuracy))
        since = evaluation.step
    return tuple(checked)


class _Between:
    """Mean loss and accuracy of the steps after one step and up to another."""

    def __init__(self, steps: Sequence[TrainingStep]) -> None:
        self._steps = sorted(steps, key=lambda step: step.step)
        self._numbers = [step.step for step in self._steps]

    def means(self, after: int, until: int) -> tuple[float | None, float | None]:
        start, end = bisect_right(self._numbers, after), bisect_left(self._numbers, until + 1)
        part = self._steps[start:end]
        return _mean(step.loss for step in part), _mean(step.accuracy for step in part)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None  # fmean refuses infinities of both signs
