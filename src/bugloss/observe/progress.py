"""How far training came: the curves of the training loss, and whether the model learned anything.

Detectors that look inside a model ask here before they raise an alarm: dead units or tiny gradients are a remark in a
model that learns, and a symptom in one that does not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from bugloss.core.finding import Severity
from bugloss.core.network.loss import never_negative
from bugloss.observe.chance import Chance, chance, only_loss
from bugloss.observe.recording import Recording
from bugloss.observe.trends import MEDIAN_ERROR, TINY, block_means, finite, noise, share

LEAST_STEPS = 10  # fewer losses say nothing about learning
GOOD_BY_ANY_MEASURE = 0.9  # an accuracy that no usual distribution of classes gives by chance
_LARGE_BATCH = 8  # the first loss of a smaller batch says little about the model
_REAL_FALL = 0.1  # of the first loss: a tenth is visible in any curve
_AT_CHANCE = 0.95  # of the loss at chance level: a twentieth is what a few lucky batches gain
_ABOVE_CHANCE_ACCURACY = 0.25  # of the way from chance to perfect: no model gets there by luck
_FAR_BELOW_CHANCE = 0.5  # of the loss at chance level, likewise
_GOOD_ACCURACY = 0.6  # of the way from chance to perfect: most toy tasks are learned better
_LITTLE_BETTER = 0.65  # of the loss at chance level: likewise
_HALVED = 0.5  # of the first loss, where chance level is not known
_TWICE_AS_LONG = 2  # sizes of the graph: a last batch that is smaller has as many operations as the others
_MIXED = 0.1  # of the losses above zero: a standard loss with a fault sinks below zero and stays there
_NEAR_THE_END = 0.75  # of all steps: an accuracy from before then is not the final one


@dataclass(frozen=True, slots=True)
class LossCurve:
    """The finite training losses of one optimizer, with their steps."""

    optimizer: str
    steps: tuple[int, ...]
    values: tuple[float, ...]
    steady: bool = False  # batches are large enough for a single loss to mean something

    @property
    def first(self) -> float:
        """The level that training started from; the very first loss where the next ones already ran away from it."""
        level = median(self.values[: self._at_first])
        return self.values[0] if self.steady and 0 < self.values[0] < level / 3 else level

    @property
    def last(self) -> float:
        """The level that training ended at."""
        return median(self.values[-self._at_last :])

    @property
    def _at_first(self) -> int:
        return max(1, min(5, len(self.values) // 20))

    @property
    def _at_last(self) -> int:
        return max(3, len(self.values) // 10)

    @property
    def scale(self) -> float:
        """What falls and swings are compared with: the size of the first loss."""
        return max(abs(self.first), TINY)

    @property
    def fall(self) -> float:
        """How much of the first loss was taken away."""
        return (self.first - self.last) / self.scale

    @property
    def noise(self) -> float:
        """The standard deviation of the later losses about their trend."""
        return noise(self.values[len(self.values) // 4 :])

    @property
    def surely_fell(self) -> bool:
        """Whether the fall is more than the noise of its two ends."""
        doubt = MEDIAN_ERROR * self.noise * math.sqrt(1 / self._at_first + 1 / self._at_last)
        return self.first - self.last > 3 * doubt


@dataclass(frozen=True, slots=True)
class Progress:
    """What came of training."""

    curve: LossCurve
    chance: Chance | None
    first_accuracy: float | None
    accuracy: float | None
    penalty: float  # share of the loss that penalties make up at the end

    @property
    def at_chance(self) -> bool:
        """Whether the loss ended no better than that of a model that ignores its inputs."""
        return self.chance is not None and self.curve.last * (1 - self.penalty) > _AT_CHANCE * self.chance.loss

    @property
    def beats_chance(self) -> bool:
        """Whether loss or accuracy, on their own, are far better than chance."""
        if self.chance is None:
            return self.accuracy is not None and self.accuracy >= GOOD_BY_ANY_MEASURE
        if self.accuracy is not None and self.chance.accuracy is not None:
            least = self.chance.accuracy + _ABOVE_CHANCE_ACCURACY * (1 - self.chance.accuracy)
            if self.accuracy >= least:
                return True
        return self.curve.last < _FAR_BELOW_CHANCE * self.chance.loss

    @property
    def poor(self) -> bool:
        """Whether the result is nothing to be content with, be it better than chance or not."""
        if self.accuracy is not None and self.chance is not None and self.chance.accuracy is not None:
            good = self.chance.accuracy + _GOOD_ACCURACY * (1 - self.chance.accuracy)
            return self.accuracy < good or self.curve.last > _LITTLE_BETTER * self.chance.loss > 0
        if self.chance is not None:
            return self.curve.last > _LITTLE_BETTER * self.chance.loss > 0
        return self.curve.last > _HALVED * self.curve.first > 0

    @property
    def learned(self) -> bool:
        """Whether the model got better at its task, or was good at it from the start."""
        if self.beats_chance:
            return True
        return self.curve.fall >= _REAL_FALL and self.curve.surely_fell and not self.at_chance


def curves(recording: Recording) -> tuple[LossCurve, ...]:
    """One curve for every optimizer that made steps; where steps have no loss, one of the epochs."""
    found: dict[str, tuple[list[int], list[float]]] = {}
    for step in recording.steps:
        if step.loss is not None and math.isfinite(step.loss):
            steps, values = found.setdefault(step.optimizer, ([], []))
            steps.append(step.step)
            values.append(step.loss)
    if found:
        steady = _large_batches(recording)
        return tuple(LossCurve(name, tuple(steps), tuple(values), steady) for name, (steps, values) in found.items())
    pairs = [(epoch.step, epoch.loss) for epoch in recording.epochs if epoch.loss is not None]
    real = [(step, loss) for step, loss in pairs if math.isfinite(loss)]
    return (LossCurve("", tuple(step for step, _ in real), tuple(loss for _, loss in real)),) if real else ()


def _large_batches(recording: Recording) -> bool:
    sizes = [step.batch for step in recording.steps if step.batch is not None]
    return bool(sizes) and median(sizes) >= _LARGE_BATCH


def may_wander(recording: Recording) -> bool:
    """Whether the loss need not fall in a healthy run: adversaries, an objective with terms of its own, or targets that
    a copy of the model computes."""
    # A copy that follows, as a target network, moves what the loss is measured against.
    return adversaries(recording) or any(copy.moved for copy in recording.copies) or has_own_terms(recording)


def has_own_terms(recording: Recording) -> bool:
    """Whether what is minimised is more than a standard loss: it goes below zero, as an objective of reinforcement
    learning does, or sums over episodes of changing length. A standard loss that is below zero throughout has the wrong
    sign or targets outside its range."""
    if _sums_change(recording):
        return True
    values = finite(recording.loss_values)
    loss = only_loss(recording)
    least = 0.0 if loss is None or not never_negative(loss.kind) else _MIXED
    return any(value < 0 for value in values) and share(value >= 0 for value in values) >= least


def _sums_change(recording: Recording) -> bool:
    """Whether the number of terms goes up and down from step to step; one that only grows keeps old steps alive."""
    sizes = [reading.graph for reading in recording.memory if reading.graph]
    rises = sum(later > earlier for earlier, later in pairwise(sizes))
    falls = sum(later < earlier for earlier, later in pairwise(sizes))
    return min(rises, falls) > 0 and max(sizes) >= _TWICE_AS_LONG * min(sizes)


def adversaries(recording: Recording) -> bool:
    """Whether several optimizers take turns: their losses pull against each other and need not fall."""
    turns = [step.optimizer for step in recording.steps]
    changes = sum(earlier != later for earlier, later in pairwise(turns))
    return changes >= 2 * len(set(turns)) > 2


def progress(recording: Recording) -> Progress | None:
    """What came of the longest stretch of training; None where too little of it was seen."""
    longest = max(curves(recording), key=lambda curve: len(curve.values), default=None)
    if longest is None or len(longest.values) < 3:
        return None
    accuracies = training_accuracies(recording)
    penalties = finite(step.regularization for step in recording.steps[-10:])
    return Progress(
        longest,
        chance(recording),
        accuracies[0] if accuracies else None,
        max(accuracies[-3:], default=None) if _knows_last_accuracy(recording) else None,
        min(max(median(penalties), 0.0), 1.0) if penalties else 0.0,
    )


def training_accuracies(recording: Recording) -> list[float]:
    """The training accuracy in at most twenty parts of the run."""
    stepwise = finite(step.accuracy for step in recording.steps)
    if len(stepwise) >= 3:
        return block_means(stepwise, 20)
    return finite(epoch.accuracy for epoch in recording.epochs)


def _knows_last_accuracy(recording: Recording) -> bool:
    """Whether accuracies were recorded to the end: when observation saves time, only early ones exist."""
    stepwise = [place for place, step in enumerate(recording.steps, start=1) if step.accuracy is not None]
    if len(stepwise) >= 3:
        return stepwise[-1] >= _NEAR_THE_END * len(recording.steps)
    return any(epoch.accuracy is not None for epoch in recording.epochs[-2:])


def struggles(recording: Recording) -> bool:
    """Whether it is sure enough that the model did not learn."""
    if any(not math.isfinite(step.loss) for step in recording.steps[-3:] if step.loss is not None):
        return True
    known = progress(recording)
    return known is not None and len(known.curve.values) >= LEAST_STEPS and not known.learned


def alarm_if_struggling(recording: Recording) -> Severity:
    """A warning where training fails, advice where it works all the same."""
    return Severity.WARNING if struggles(recording) and not may_wander(recording) else Severity.ADVICE
