"""Logged curves as the training that they show: which curve is the loss, which the validation, at which steps."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bugloss.core.plural import plural
from bugloss.observe.logs.curves import LoggedCurves
from bugloss.observe.logs.names import CurveRole, Grain, LoggedQuantity, Phase, role_of

MOST_STEPS = 50_000  # a detector looks at every step several times; a curve of so many is smooth
_FEWER_STEPS = 2  # an axis with less than half of the other's steps counts epochs, not steps
_PERCENT = 1.5  # accuracies above are percentages: a share is 1 at the most

Points = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class ReadCurve:
    """A curve that was read as something."""

    name: str
    role: CurveRole
    points: Points

    @property
    def last_step(self) -> int:
        return self.points[-1][0]


@dataclass(frozen=True, slots=True)
class LoggedTraining:
    """The curves that a diagnosis uses, and remarks on what was not clear."""

    loss: ReadCurve | None
    epoch_loss: ReadCurve | None  # a mean of each epoch beside the loss of each step
    accuracy: ReadCurve | None
    validation_loss: ReadCurve | None
    validation_accuracy: ReadCurve | None
    learning_rate: ReadCurve | None
    gradient_norm: ReadCurve | None
    epoch: ReadCurve | None
    notes: tuple[str, ...] = ()

    @property
    def used(self) -> tuple[ReadCurve, ...]:
        every = (
            *(self.loss, self.epoch_loss, self.accuracy, self.validation_loss, self.validation_accuracy),
            *(self.learning_rate, self.gradient_norm),
        )
        return tuple(dict.fromkeys(curve for curve in every if curve is not None))


def training_of(logged: LoggedCurves) -> LoggedTraining:
    """Chooses one curve for each quantity."""
    choice = _Choice(logged)
    loss = choice.of(LoggedQuantity.LOSS, Phase.TRAINING, (Grain.STEP, Grain.UNKNOWN, Grain.EPOCH))
    epoch_loss = choice.of(LoggedQuantity.LOSS, Phase.TRAINING, (Grain.EPOCH, Grain.UNKNOWN, Grain.STEP))
    mostly_epochs = (Grain.EPOCH, Grain.UNKNOWN, Grain.STEP)
    return LoggedTraining(
        loss,
        epoch_loss if epoch_loss is not loss else None,
        choice.of(LoggedQuantity.ACCURACY, Phase.TRAINING, mostly_epochs),
        choice.of(LoggedQuantity.LOSS, Phase.VALIDATION, mostly_epochs),
        choice.of(LoggedQuantity.ACCURACY, Phase.VALIDATION, mostly_epochs),
        choice.of(LoggedQuantity.LEARNING_RATE, None, mostly_epochs),
        choice.of(LoggedQuantity.GRADIENT_NORM, None, mostly_epochs),
        choice.of(LoggedQuantity.EPOCH, None, mostly_epochs),
        tuple(choice.notes),
    )


class _Choice:
    """Of several curves that fit, the one with the plainest name."""

    def __init__(self, logged: LoggedCurves) -> None:
        found = ((name, role_of(name), points) for name, points in sorted(logged.curves.items()) if points)
        self._curves = [ReadCurve(name, role, points) for name, role, points in found if role is not None]
        self.notes: dict[str, None] = {}

    def of(self, quantity: LoggedQuantity, phase: Phase | None, grains: Sequence[Grain]) -> ReadCurve | None:
        fitting = [curve for curve in self._curves if curve.role.quantity is quantity and _is_of(curve.role, phase)]
        if phase is Phase.VALIDATION and not fitting:  # some log the loss on held-out samples as a test
            fitting = [one for one in self._curves if one.role.quantity is quantity and one.role.phase is Phase.TEST]
        if not fitting:
            return None
        chosen = min(
            fitting, key=lambda one: (len(one.role.specific), grains.index(one.role.grain), -len(one.points), one.name)
        )
        same = [one.name for one in fitting if one.role.grain is chosen.role.grain and one is not chosen]
        if same and quantity in {LoggedQuantity.LOSS, LoggedQuantity.ACCURACY}:
            others = ", ".join(same[:5]) + (f" and {len(same) - 5} more" if len(same) > 5 else "")
            self.notes[f"{chosen.name} was read as the {chosen.role.words}; not {others}"] = None
        return chosen


def _is_of(role: CurveRole, phase: Phase | None) -> bool:
    return phase is None or role.phase is phase or (phase is Phase.TRAINING and role.phase is None)


def events_of(training: LoggedTraining) -> Iterator[dict[str, object]]:
    """The events of a recording: steps and epochs in order, and the closing one."""
    axis = _EpochAxis(training)
    steps, epochs = list(_steps(training)), list(_epochs(training, axis))
    yield from sorted([*steps, *epochs], key=lambda event: (_step_of(event), event["event"] == "epoch"))
    why = "they were read from the curves of a log"
    yield {"event": "cost", "seconds": 0.0, "observed_seconds": 0.0, "mode": "curves", "why": why}


def _step_of(event: Mapping[str, object]) -> int:
    step = event["step"]
    return step if isinstance(step, int) else 0


def _steps(training: LoggedTraining) -> Iterator[dict[str, object]]:
    if training.loss is None:
        return
    rate, norm, epoch = _at(training.learning_rate), _at(training.gradient_norm), _at(training.epoch)
    accuracy = dict(_shares(training.accuracy)) if _same_axis(training.accuracy, training.loss) else {}
    for step, loss in _thinned(training.loss.points):
        number = epoch(step)
        yield {
            "event": "step",
            "step": step,
            "loss": _plain(loss),
            "learning_rate": _plain(rate(step)),
            "gradient_norm": _plain(norm(step)),
            "accuracy": _plain(accuracy.get(step)),
            "epoch": int(number) if number is not None and math.isfinite(number) else None,
        }


def _epochs(training: LoggedTraining, axis: _EpochAxis) -> Iterator[dict[str, object]]:
    """One for each time that validation was logged."""
    values = [dict(_points(training.validation_loss)), dict(_shares(training.validation_accuracy))]
    source = training.epoch_loss or training.loss
    losses = dict(_points(source)) if axis.counts(source) else {}
    accuracies = dict(_shares(training.accuracy)) if axis.counts(training.accuracy) else {}
    for number, at in enumerate(sorted(values[0].keys() | values[1].keys())):
        yield {
            "event": "epoch",
            "epoch": axis.number(number, at),
            "step": axis.step(at),
            "loss": _plain(losses.get(at)),
            "accuracy": _plain(accuracies.get(at)),
            "validation_loss": _plain(values[0].get(at)),
            "validation_accuracy": _plain(values[1].get(at)),
        }


class _EpochAxis:
    """Where validation is: at the steps of the loss, or counted in epochs of its own."""

    def __init__(self, training: LoggedTraining) -> None:
        self._validation = training.validation_loss or training.validation_accuracy
        self._last = training.loss.last_step if training.loss else 0
        self._apart = bool(
            self._validation
            and training.loss
            and training.loss.role.grain is not Grain.EPOCH
            and _same_axis(self._validation, training.epoch_loss or training.accuracy)
            and self._validation.last_step * _FEWER_STEPS < self._last
        )
        numbers = _at(training.epoch)
        found = [numbers(at) for at, _ in _points(self._validation)]
        known = [int(one) for one in found if one is not None and math.isfinite(one)]
        rises = len(known) == len(found) and all(left < right for left, right in pairwise(known))
        self._numbers = known if rises else []

    def number(self, index: int, at: int) -> int:
        """The epoch that the log names; else validations are counted."""
        if index < len(self._numbers):
            return self._numbers[index]
        by_epoch = self._validation is not None and (self._apart or self._validation.role.grain is Grain.EPOCH)
        return at if by_epoch and at < self._last + 1 else index

    def step(self, at: int) -> int:
        """The training step of a validation; epochs are taken as equally long."""
        if not self._apart or self._validation is None:
            return at
        return round((at + 1) / (self._validation.last_step + 1) * self._last)

    def counts(self, curve: ReadCurve | None) -> bool:
        """Whether a curve of the training has values at the same places as validation."""
        return _same_axis(curve, self._validation) if curve is not None and self._validation is not None else False


def _same_axis(one: ReadCurve | None, other: ReadCurve | None) -> bool:
    """Whether the places of the shorter curve are mostly places of the other."""
    if one is None or other is None:
        return False
    left, right = {at for at, _ in one.points}, {at for at, _ in other.points}
    return 2 * len(left & right) > min(len(left), len(right))


def _points(curve: ReadCurve | None) -> Points:
    return curve.points if curve is not None else ()


def _shares(curve: ReadCurve | None) -> Points:
    """Accuracies as shares: many programs log percentages."""
    points = _points(curve)
    percent = any(_PERCENT < value <= 100 for _, value in points) and all(not value > 100 for _, value in points)
    return tuple((at, value / 100) for at, value in points) if percent else points


def _at(curve: ReadCurve | None) -> _LastValue:
    return _LastValue(_points(curve))


class _LastValue:
    """The latest value of a curve at a step; before its first one that one."""

    def __init__(self, points: Points) -> None:
        self._steps, self._values = [at for at, _ in points], [value for _, value in points]

    def __call__(self, step: int) -> float | None:
        return self._values[max(bisect_right(self._steps, step) - 1, 0)] if self._values else None


def _thinned(points: Points) -> Points:
    """Evenly spaced points of a long curve, and every one that is not finite."""
    if len(points) <= MOST_STEPS:
        return points
    stride = -(-len(points) // MOST_STEPS)
    bad = [point for point in points if not math.isfinite(point[1])][:MOST_STEPS]
    return tuple(sorted({*points[::stride], points[-1], *bad}, key=lambda point: point[0]))


def _plain(value: float | None) -> float | str | None:
    """As recordings write it."""
    if value is None or math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def read_words(training: LoggedTraining) -> str:
    """Which curve was read as what."""
    return "; ".join(f"{one.name} as {one.role.words}, {plural(len(one.points), 'value')}" for one in training.used)
