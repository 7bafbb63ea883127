"""learning-rate-too-low."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.progress import LEAST_STEPS, adversaries, progress
from bugloss.observe.rates import band, given_rate, main_optimizer, movement
from bugloss.observe.recording import PropertyAnswer, Recording
from bugloss.observe.sketch import falling, sketch

Problem = tuple[Severity, str]

_HARDLY = 0.1  # of their size: how far weights can have moved in the whole run
_NOT_AT_ALL = 0.02  # of their size: less than initialisation differs from seed to seed
_AT_THE_LOW_END = 10  # times the least usual rate: the lowest order of magnitude of the band
_LITTLE_FALL = 0.3  # of the first loss: a run that falls more is learning, however slowly
_BELOW_BEST = 30.0  # times below the best rate of the trial, which itself is found to within a factor of a few
_RANGE = PropertyAnswer("learning-rate-range", False, {"best": 0.1, "used": 0.001})
_STILL = {"fc1": {"update_ratio": 1e-6}, "fc2": {"update_ratio": 1e-6}}


def _adam(rate: float) -> dict[str, Any]:
    return {"optimizer": {"settings": {"learning_rate": rate}}, "steps": {"learning_rate": rate}}


class LearningRateTooLow(Detector):
    """The learning rate is so low that the weights hardly change in the whole run.

    ## What it finds
    A rate of zero, and rates below what is usual for the optimizer, or far below the best rate of a test run on a copy,
    in runs that learn little.

    ## Why it hurts
    The loss falls slowly or not at all, although nothing else is wrong.

    ## How it decides
    The usual update times the number of steps bounds how much the weights can have changed. A warning needs a loss that
    fell by less than three tenths, weights that changed by less than a tenth of their size, and a rate below the usual
    range of its optimizer, or thirty times below the best of a test run. Weights that changed as little with a rate at
    the low end of the range, or less than 2 % with any rate, are advice: small gradients may be the reason. A
    pretrained model may be fine-tuned with a low rate; nothing is reported.

    ## Known problems
    Rates differ between groups of parameters; the first group is read.

    ## References
    Smith, learning-rate range test (2017); Keras's ``Adadelta`` has a default of 0.001 where the paper has 1.
    """

    name = "learning-rate-too-low"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(falling(2.3, 2.25), **_adam(1e-7), layers=_STILL),
        sketch([2.3] * 100, **_adam(0.0), layers={"fc1": {"update_ratio": 0.0}, "fc2": {"update_ratio": 0.0}}),
        sketch(falling(2.3, 2.2), layers=_STILL, properties=(_RANGE,)),
        sketch([2.3] * 100, layers=_STILL),
    )
    healthy = (
        sketch([2.3] * 100),
        sketch(**_adam(1e-6)),
        sketch([0.05] * 100, **_adam(1e-6), layers=_STILL),
        sketch(falling(2.3, 2.2, 8), **_adam(1e-7), layers=_STILL),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        optimizer, rate, known = main_optimizer(recording), given_rate(recording), progress(recording)
        if optimizer is None or rate is None or known is None or adversaries(recording):
            return
        if len(known.curve.values) < LEAST_STEPS or known.beats_chance or known.curve.fall > _LITTLE_FALL:
            return
        moved = movement(recording)
        problem = _find_problem(recording, rate, band(optimizer)[0], moved)
        if problem is None:
            return
        severity, why = problem
        far = f"the weights change by at most {moved:.2g} of their size and " if moved is not None and rate > 0 else ""
        yield self.symptom(
            f"The learning rate is {rate:g}, {why}: {far}the loss falls by only {max(known.curve.fall, 0):.0%}.",
            site=optimizer.site,
            severity=severity,
            learning_rate=rate,
            usual_least=band(optimizer)[0],
            moved=moved,
            fall=known.curve.fall,
        )


def _find_problem(recording: Recording, rate: float, low: float, moved: float | None) -> Problem | None:
    if rate <= 0:
        return Severity.ERROR, "so the weights cannot change"
    if moved is not None and moved > _HARDLY:
        return None
    if rate < low:
        return Severity.WARNING, f"less than the usual minimum of {low:g}"
    answer = recording.property("learning-rate-range")
    best = number(answer.facts, "best") if answer is not None and answer.holds is False else None
    if best is not None and answer is not None and best > _BELOW_BEST * (number(answer.facts, "used") or rate):
        return Severity.WARNING, f"but a test run is best at {best:.2g}"
    # Weights that did not move at all got no gradient: that is another matter.
    if moved and (moved < _NOT_AT_ALL or rate <= _AT_THE_LOW_END * low):
        return Severity.ADVICE, "which is within the usual range, but updates are small"
    return None
