"""overfitting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import progress
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.trends import TINY, noise
from bugloss.observe.validation import Pair, accuracies, checkpoints, losses

_LEAST_POINTS = 4  # a best epoch and three after it
# Of the best validation loss: a tenth is beyond noise, three tenths are visible, doubled is beyond doubt.
_RISE, _STEEP_RISE, _DOUBLED = 0.1, 0.3, 1.0
_FAR_APART = 5.0  # times the training loss: a model that generalises stays within twice
_NEXT_TO_NOTHING = 0.1  # of the first training loss: below that a ratio of losses means little
# Between accuracies: ten points are beyond what small validation sets vary by, twenty beyond doubt.
_GAP, _WIDE_GAP = 0.1, 0.2
_TIMES_TRAINING = 3.0  # times the training loss, where no accuracies say it
_LASTING = 0.5  # of the rise must be left at the end: what comes down again was noise
_FELL_ON = 0.9  # of the training loss at the turn: training went on getting better
_WELL_TRAINED = 0.2  # of the first training loss: training went from bad to good
_NEVER_BETTER = 0.9  # of the first validation loss: it never improved
_TURNING = [2.1, 1.6, 1.3, 1.2, 1.3, 1.5, 1.7, 1.9, 2.1, 2.4]


@dataclass(frozen=True, slots=True)
class _Turn:
    """Where validation was best, and how much worse it is at the end."""

    at: Pair
    rise: float
    training: float
    validation: float


class Overfitting(Detector):
    """Validation gets worse, or stays far behind, while training gets better.

    ## What it finds
    A validation loss that turns and rises while the training loss goes on falling, or a training accuracy far above
    the validation accuracy.

    ## Why it hurts
    The model memorizes its training samples. Every further epoch makes it worse on new data.

    ## How it decides
    Rising loss: three epochs or more after its best value, the validation loss is 10 % above it, by more than three
    times its own noise, and the training loss has fallen by another tenth. The gap: over the last three epochs the
    accuracies differ by ten points. Advice so far. A warning when the validation loss rose by 30 % and accuracies
    differ by ten points (or, without accuracies, the validation loss is three times the training loss), when accuracies
    differ by twenty points, when it has doubled to five times the training loss and is not negligible, or when training
    went from bad to good and validation never improved at all.

    ## Known problems
    A validation set of few samples has a noisy loss. Where training uses strong augmentation, the gap is narrower than
    it should be.

    ## References
    Fault catalogue, training dynamics: overfit.
    """

    name = "overfitting"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(falling(2.3, 0.05), validation=_TURNING),
        sketch(validation=[1.0], accuracies=[0.5, 0.8, 0.97], validation_accuracies=[0.5, 0.6, 0.6]),
        sketch(
            falling(0.4, 0.03),
            validation=[0.28, 0.34, 0.39, 0.41, 0.6, 0.62, 0.63, 0.7, 0.65, 0.72],
            accuracies=[0.85, 0.95, 0.98],
            validation_accuracies=[0.91, 0.9, 0.91],
        ),
        sketch(falling(9.0, 0.3), validation=[9.5, 9.1, 9.3, 9.2, 9.4, 9.2, 9.3, 9.5, 9.3, 9.4]),
    )
    healthy = (
        sketch(validation=[2.0, 1.5, 1.1, 0.8, 0.6, 0.5, 0.45, 0.44, 0.45, 0.46]),
        sketch(validation=[1.9, 1.2, 1.0, 0.9, 0.95, 0.85, 0.95, 0.84, 0.93, 0.86]),
        sketch(accuracies=[0.5, 0.8, 0.95], validation_accuracies=[0.5, 0.8, 0.88]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = checkpoints(recording)
        points, hits = losses(found), accuracies(found)
        gap = fmean(training - validation for _, training, validation in hits[-3:]) if len(hits) >= 3 else None
        turn = _turn(points)
        if turn is not None:
            yield self._of_turn(turn, gap, _first_loss(recording))
        elif gap is not None and gap >= _GAP and min(left - right for _, left, right in hits[-3:]) > _GAP / 2:
            yield self._of_gap(hits, gap)
        elif _never_improved(points):
            yield self._of_no_gain(points)

    def _of_turn(self, turn: _Turn, gap: float | None, first: float) -> Symptom:
        apart = turn.validation > _TIMES_TRAINING * turn.training if gap is None else gap >= _GAP
        # Where answers stay right but wrong ones become ever surer, only the losses part.
        doubled = turn.rise >= _DOUBLED and 0 < turn.training < turn.validation / _FAR_APART
        doubled &= turn.validation > _NEXT_TO_NOTHING * first
        alarming = (turn.rise >= _STEEP_RISE and apart) or (gap is not None and gap >= _WIDE_GAP) or doubled
        checkpoint, _, best = turn.at
        return self.symptom(
            f"The validation loss is best in epoch {checkpoint.epoch} ({best:.3g}) and rises to "
            f"{turn.validation:.3g}, while the training loss falls to {turn.training:.3g}.",
            step=checkpoint.step,
            severity=Severity.WARNING if alarming else Severity.ADVICE,
            best_epoch=checkpoint.epoch,
            best=best,
            last=turn.validation,
            training=turn.training,
            accuracy_gap=gap,
        )

    def _of_gap(self, hits: Sequence[Pair], gap: float) -> Symptom:
        checkpoint, training, validation = hits[-1]
        return self.symptom(
            f"Training accuracy is {training:.0%}, but validation accuracy is only {validation:.0%}.",
            step=checkpoint.step,
            severity=Severity.WARNING if gap >= _WIDE_GAP else Severity.ADVICE,
            accuracy_gap=gap,
            training_accuracy=training,
            validation_accuracy=validation,
        )

    def _of_no_gain(self, points: Sequence[Pair]) -> Symptom:
        (_, first, first_validation), (checkpoint, last, last_validation) = points[0], points[-1]
        return self.symptom(
            f"The training loss falls from {first:.3g} to {last:.3g}, but the validation loss does not "
            f"({first_validation:.3g} to {last_validation:.3g}).",
            step=checkpoint.step,
            training=last,
            last=last_validation,
            best=min(validation for _, _, validation in points),
        )


def _first_loss(recording: Recording) -> float:
    known = progress(recording)
    return known.curve.first if known is not None else 0.0


def _turn(points: Sequence[Pair]) -> _Turn | None:
    if len(points) < _LEAST_POINTS:
        return None
    values = [validation for _, _, validation in points]
    at = values.index(min(values))
    best, end, training = values[at], median(values[-3:]), median(left for _, left, _ in points[-3:])
    rise = (end - best) / max(abs(best), TINY)
    lasting = len(points) - 1 - at >= 3 and min(values[-3:]) > best + _LASTING * (end - best)
    # Both halves are asked for their noise: a steep fall at the start would pass for noise.
    jitter = min(noise(values[len(values) // 2 :]), noise(values))
    if rise < _RISE or not lasting or end - best < 3 * jitter or training > _FELL_ON * points[at][1]:
        return None
    return _Turn(points[at], rise, training, end)


def _never_improved(points: Sequence[Pair]) -> bool:
    """Whether training took away four fifths of its loss, and validation not a tenth of its own, far above training."""
    if len(points) < _LEAST_POINTS:
        return False
    (_, first, before), (_, last, after) = points[0], points[-1]
    best = min(validation for _, _, validation in points)
    return 0 < last < _WELL_TRAINED * first and best > _NEVER_BETTER * before > 0 and after > _TIMES_TRAINING * last
