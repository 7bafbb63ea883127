"""underfitting."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.chance import Chance
from bugloss.observe.contract import Detector
from bugloss.observe.progress import LossCurve, Progress, may_wander, progress
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.trends import blocks

_LEAST_STEPS = 40  # in fewer steps no model has settled
_FELL, _STILL = 0.05, 0.03  # of the first loss: it learned something; in the second half of the run it stands still
_MANY_STEPS = 100  # as many as small tasks take to be learned
_LOPSIDED = 0.8  # of the labels in one class: chance level is then close to perfect, and the way between says little
# Of the way from chance to perfect: a toy model gets half way, a quarter is a failure, a twentieth nothing.
_POOR, _VERY_POOR, _NOTHING = 0.4, 0.25, 0.05


class Underfitting(Detector):
    """Training stagnates although the model is still bad on its training data.

    ## What it finds
    A loss that fell at first and is constant since, with a training accuracy (or loss) near chance level.

    ## Why it hurts
    The model is too small, too strongly regularized, or its inputs contain no information about the labels.

    ## How it decides
    The second half of the run changes the loss by less than 3 %, and neither the accuracy nor the loss has covered 40 %
    of the distance from chance level to perfect. Under 25 % it is a warning; otherwise, and where one class makes up 80
    % of the labels, advice. A hundred steps that cover less than 5 % are a warning also while the loss still changes.
    Nothing is reported where the chance level is not known.

    ## Known problems
    With noisy labels or hard tasks the best possible loss is not known.

    ## References
    Fault catalogue, training dynamics: underfit.
    """

    name = "underfitting"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(noisy([*falling(2.3, 1.9, 40), *[1.9] * 160], 0.02), accuracies=[0.15, 0.2, 0.25]),
        sketch(noisy([*falling(2.3, 1.6, 40), *[1.6] * 160], 0.02)),
        sketch(noisy(falling(5.0, 2.4, 200), 0.1), accuracies=[0.1]),
    )
    healthy = (
        sketch(noisy([*falling(2.3, 0.4, 40), *[0.4] * 160], 0.02)),
        sketch(noisy(falling(2.3, 1.5, 200), 0.02), accuracies=[0.15, 0.2, 0.3]),
        sketch(noisy([*falling(2.3, 1.7, 40), *[1.7] * 160], 0.02), loss={"kind": "custom"}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = progress(recording)
        if known is None or known.chance is None or len(known.curve.values) < _LEAST_STEPS or may_wander(recording):
            return
        way = _way(known, known.chance)
        hopeless = way < _NOTHING and len(known.curve.values) >= _MANY_STEPS
        if known.curve.fall < _FELL or not (hopeless or (way < _POOR and _rests(known.curve))):
            return  # a loss that does not fall at all has other names
        lopsided = (known.chance.accuracy or 0.0) >= _LOPSIDED
        accuracy = f" and the accuracy {known.accuracy:.0%}" if known.accuracy is not None else ""
        yield self.symptom(
            f"After {len(known.curve.values)} steps the loss is {known.curve.last:.3g}{accuracy}; the loss at chance "
            f"level is {known.chance.loss:.3g}.",
            step=known.curve.steps[len(known.curve.steps) // 2],
            severity=Severity.WARNING if way < _VERY_POOR and not lopsided else Severity.ADVICE,
            last=known.curve.last,
            chance=known.chance.loss,
            accuracy=known.accuracy,
            way=way,
        )


def _way(known: Progress, chance: Chance) -> float:
    """The fraction of the distance from chance level to perfect that was covered."""
    by_loss = 1 - known.curve.last * (1 - known.penalty) / chance.loss
    if known.accuracy is None or chance.accuracy is None or chance.accuracy >= 1:
        return by_loss
    # Where one class is common, the loss gets better long before any answer does.
    return max((known.accuracy - chance.accuracy) / (1 - chance.accuracy), by_loss)


def _rests(curve: LossCurve) -> bool:
    later = blocks(curve.values[len(curve.values) // 2 :], 10)
    return abs(median(later[:3]) - median(later[-3:])) < _STILL * abs(curve.last)
