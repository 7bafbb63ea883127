"""Learning rates: how they went over the run, what is usual for an optimizer, and how far they moved the weights."""

from __future__ import annotations

import math
from collections import Counter
from statistics import median

from bugloss.core.diagnosis import Site
from bugloss.core.network.optimizer import rates_of
from bugloss.observe.layer_kinds import number
from bugloss.observe.recording import RecordedOptimizer, Recording, TrainingStep
from bugloss.observe.tracks import trainable

_SETTLED = 2  # sampled steps at the start whose updates are larger than usual


def main_optimizer(recording: Recording) -> RecordedOptimizer | None:
    """The optimizer that made most steps."""
    made = Counter(step.optimizer for step in recording.steps)
    known = {optimizer.optimizer: optimizer for optimizer in recording.optimizers}
    return max(known.values(), key=lambda optimizer: made[optimizer.optimizer], default=None)


def course(recording: Recording) -> list[tuple[int, float]]:
    """The learning rate of the main optimizer, step by step."""
    optimizer = main_optimizer(recording)
    steps = [step for step in recording.steps if optimizer is None or step.optimizer == optimizer.optimizer]
    return [(step.step, step.learning_rate) for step in steps if _has_rate(step) and step.learning_rate is not None]


def given_rate(recording: Recording) -> float | None:
    """The learning rate in use: the largest of the run, else the optimizer's setting."""
    rates = [rate for _, rate in course(recording)]
    if rates:
        return max(rates)
    optimizer = main_optimizer(recording)
    return number(optimizer.settings, "learning_rate", "lr") if optimizer is not None else None


def band(optimizer: RecordedOptimizer) -> tuple[float, float]:
    """The lowest and highest rates of an optimizer that are not suspicious."""
    return rates_of(optimizer.kind).band(number(optimizer.settings, "momentum") or 0.0)


def movement(recording: Recording) -> float | None:
    """How far the weights can have moved in the whole run, in their own size: the usual update times the steps."""
    if not recording.steps:
        return None
    levels = []
    for track in trainable(recording):
        ratios = [value for _, value in track.values("update_ratio")]
        if track.is_matrix and ratios:
            levels.append(median(ratios))
    return median(levels) * len(recording.steps) if levels else None


def usual_update(recording: Recording) -> float | None:
    """The largest over the layers of the median update ratio, the first samples left out."""
    levels = []
    for track in trainable(recording):
        ratios = [value for _, value in track.values("update_ratio")][_SETTLED:]
        if track.is_matrix and ratios:
            levels.append(median(ratios))
    return max(levels, default=None)


def scheduler_steps(recording: Recording) -> int:
    """How often a schedule was asked for a new rate."""
    return sum(occasion.count for occasion in recording.occasions if occasion.kind == "scheduler-step")


def scheduler_site(recording: Recording) -> Site | None:
    """The line that asks the schedule for a new rate."""
    return next((occasion.site for occasion in recording.occasions if occasion.kind == "scheduler-step"), None)


def epochs_seen(recording: Recording) -> int:
    """How many passes over the data were made, as far as the probe knows."""
    numbered = {step.epoch for step in recording.steps if step.epoch is not None}
    return max(len(recording.epochs), len(numbered))


def _has_rate(step: TrainingStep) -> bool:
    return step.learning_rate is not None and math.isfinite(step.learning_rate)
