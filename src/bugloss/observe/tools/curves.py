"""Loss and accuracy curves as the tools read them: one value an epoch, and whether a run passed or failed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from bugloss.observe.recording import Recording

PARTS = 10  # a program without epochs is read in ten equal parts
STAGNANT_EPOCHS = 3  # N of the localization study's failing runs
LEAST_FALL = 0.01
CONVERGED = 0.5  # a plateau below this share of the first loss is no failure


def epoch_losses(recording: Recording) -> tuple[float, ...]:
    """The training loss of every epoch; where the program has no epochs, of every tenth of its steps."""
    losses = [epoch.loss for epoch in recording.epochs if epoch.loss is not None]
    return tuple(losses) if len(losses) > 1 else parts(recording.loss_values)


def epoch_accuracies(recording: Recording) -> tuple[float, ...]:
    """The training accuracy of every epoch, made up from its steps where the epoch has none."""
    accuracies = [epoch.accuracy for epoch in recording.epochs if epoch.accuracy is not None]
    steps = tuple(step.accuracy for step in recording.steps if step.accuracy is not None)
    return tuple(accuracies) if len(accuracies) > 1 else parts(steps)


def parts(values: Sequence[float], count: int = PARTS) -> tuple[float, ...]:
    """The means of equal parts of a series (of fewer parts where it is short)."""
    count = min(count, len(values))
    edges = [index * len(values) // count for index in range(count + 1)] if count else []
    return tuple(sum(values[low:high]) / (high - low) for low, high in pairwise(edges))


def failed(recording: Recording) -> bool | None:
    """Whether training failed as the localization study counts it: the loss stagnates. None where no loss was seen."""
    if recording.crash is not None:
        return True
    losses = epoch_losses(recording)
    if not losses:
        return None
    return any(not math.isfinite(loss) for loss in losses) or stagnates(losses)


def stagnates(losses: Sequence[float]) -> bool:
    """Whether the loss fails to fall over some stretch of epochs although it had not come down yet."""
    if len(losses) < 2:
        return False
    span = min(STAGNANT_EPOCHS, len(losses) - 1)
    floor = losses[0] * CONVERGED if losses[0] > 0 else -math.inf
    return any(
        last > floor and first - last < LEAST_FALL * abs(first)
        for first, last in zip(losses, losses[span:], strict=False)
    )
