"""learning-rate-too-high."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.progress import adversaries, has_own_terms, may_wander, progress, struggles
from bugloss.observe.rates import band, given_rate, main_optimizer, usual_update
from bugloss.observe.recording import NonFinite, PropertyAnswer, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.trends import blocks

# Times the start: noise of mini-batches stays below half, and a fivefold loss is no noise at all.
_GROWN, _SHOT_UP = 1.5, 5.0
_BLOCKS = 20  # parts of the curve: short enough to see a peak, long enough to average noise
_LARGE_UPDATE = 0.1  # of the weights in one step: usual training moves them by a thousandth
_FAR_BEYOND = 10  # times the usual: one order of magnitude above the whole band
_ABOVE_BEST = 10.0  # times the best rate of the trial, which itself is found to within a factor of a few
_SWINGING = [2.3, 3.4] * 50
_RANGE = PropertyAnswer("learning-rate-range", False, {"best": 0.001, "diverges_at": 0.01, "used": 0.02})


def _adam(rate: float) -> dict[str, Any]:
    return {"optimizer": {"settings": {"learning_rate": rate}}, "steps": {"learning_rate": rate}}


class LearningRateTooHigh(Detector):
    """The learning rate is so high that training is unstable.

    ## What it finds
    Rates beyond what is usual for the optimizer, or above the value at which a test run on a copy diverges, in runs
    whose loss explodes or does not fall.

    ## Why it hurts
    Each update is too large. The loss oscillates, stalls or explodes, units die, and the weights do not recover.

    ## How it decides
    Two conditions must hold. The rate is suspicious: above the usual range of its optimizer, above the value at which a
    test run diverges, or each step changes the weights by a tenth of their size. And the run shows it: the loss became
    infinite, grew fivefold for a while or by half in the end, or the model does not learn. The range or the test make
    it a warning, the size of the updates alone advice. In a run that learned its task, only a rate of ten times the
    usual with such updates is mentioned, as advice.

    ## Known problems
    With unscaled inputs or targets a usual rate can be too high.

    ## References
    Smith, learning-rate range test (2017); DeepFD (2022), UMLAUT (2021).
    """

    name = "learning-rate-too-high"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(_SWINGING, **_adam(0.5)),
        sketch([2.3, 9.0, math.nan, math.nan], **_adam(0.1)),
        sketch([2.3] * 100, **_adam(0.005), properties=(_RANGE,)),
        sketch(falling(2.3, 8.0), layers={"fc1": {"update_ratio": 0.4}}),
    )
    healthy = (
        sketch(**_adam(0.05)),
        sketch([2.3] * 100),
        sketch(_SWINGING),
        sketch([2.3, math.nan, math.nan], **_adam(0.1), nonfinite=(NonFinite(1, "input"),)),
        sketch(layers={"fc1": {"update_ratio": 0.4}}, properties=(_RANGE,)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        optimizer, rate = main_optimizer(recording), given_rate(recording)
        if optimizer is None or rate is None or adversaries(recording):
            return
        high, update = band(optimizer)[1], usual_update(recording)
        large = update is not None and update >= _LARGE_UPDATE
        harm = _harm(recording)
        if harm is None and not (large and rate >= _FAR_BEYOND * high):
            return
        tried = _tried(recording, rate)
        if rate <= high and tried is None and not large:
            return
        moving = f"and each step changes the weights by {update:.0%} of their size" if update is not None else ""
        why = f"above the usual maximum of {high:g} for {optimizer.kind}" if rate > high else tried or moving
        yield self.symptom(
            f"The learning rate is {rate:g}, {why}: {harm or 'updates are large'}.",
            site=optimizer.site,
            severity=Severity.WARNING if harm and (rate > high or tried is not None) else Severity.ADVICE,
            learning_rate=rate,
            usual_most=high,
            update_ratio=update,
        )


def _harm(recording: Recording) -> str | None:
    """How the run shows that the learning rate is too high; None where it does not."""
    if _burst(recording):
        return "the loss is NaN or infinite"
    known = progress(recording)
    if known is None or has_own_terms(recording):
        return None
    highest = max(blocks(known.curve.values, _BLOCKS))
    if known.curve.first > 0 and highest > _SHOT_UP * known.curve.first:
        return f"the loss rises from {known.curve.first:.3g} to {highest:.3g}"
    if known.beats_chance:
        return None
    if known.curve.first > 0 and known.curve.last > _GROWN * known.curve.first:
        return f"the loss goes from {known.curve.first:.3g} to {known.curve.last:.3g}"
    return "the model does not learn" if struggles(recording) and not may_wander(recording) else None


def _burst(recording: Recording) -> bool:
    """Whether the loss is finite at first and then NaN or infinite, without a non-finite input."""
    losses = recording.loss_values
    fed = any(item.direction == "input" for item in recording.nonfinite)
    return not fed and bool(losses) and math.isfinite(losses[0]) and not all(math.isfinite(loss) for loss in losses)


def _tried(recording: Recording, rate: float) -> str | None:
    """Why a test of many learning rates on a copy rejects this one."""
    answer = recording.property("learning-rate-range")
    if answer is None or answer.holds is not False:
        return None
    diverges, best = number(answer.facts, "diverges_at"), number(answer.facts, "best")
    used = number(answer.facts, "used") or rate
    if diverges is not None and used >= diverges:
        return f"and a test run diverges at {diverges:.2g}"
    return f"and a test run is best at {best:.2g}" if best is not None and used > _ABOVE_BEST * best else None
