"""learning-rate-vanished."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.rates import course, main_optimizer, scheduler_site
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.underperformance import beats_chance

_VANISHED = 1e-3  # of the largest rate: what follows changes nothing any more
_LEFT = 0.3  # of the steps: a schedule that reaches its end at the end of training is as it should be
_LEAST_STEPS = 20  # in fewer steps a warm-up or a test of the schedule looks alike


def _decaying(factor: float) -> list[float]:
    return [0.1 * factor**step for step in range(100)]


class LearningRateVanished(Detector):
    """The schedule reduces the learning rate to almost zero long before training ends.

    ## What it finds
    Rates that fall to a thousandth of their largest value, stay there, and leave three tenths of the run or more
    without any real update.

    ## Why it hurts
    From then on the program computes without learning.

    ## How it decides
    By the rate of every step. It is a warning unless the model has learned its task by the end, in which case it is
    advice.

    ## Known problems
    The rate of the first group of parameters counts.

    ## References
    ``torch.optim.lr_scheduler``, ``keras.optimizers.schedules``.
    """

    name = "learning-rate-vanished"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([2.3] * 100, steps={"learning_rate": _decaying(0.8)}),
        sketch(steps={"learning_rate": [0.1] * 40 + [1e-9]}),
    )
    healthy = (
        sketch(steps={"learning_rate": _decaying(0.96)}),
        sketch(steps={"learning_rate": [1e-6 * step for step in range(100)]}),
        sketch(steps={"learning_rate": [0.1, 1e-5, 0.1, 1e-5, 0.1]}),
        sketch(steps={"learning_rate": [0.1] * 90 + [0.0]}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        rates = course(recording)
        peak = max((rate for _, rate in rates), default=0.0)
        if len(rates) < _LEAST_STEPS or peak <= 0:
            return
        alive = max(place for place, (_, rate) in enumerate(rates) if rate > _VANISHED * peak)
        left = len(rates) - alive - 1
        if left < _LEFT * len(rates):
            return
        optimizer = main_optimizer(recording)
        step, rate = rates[alive + 1]
        yield self.symptom(
            f"The learning rate falls from {peak:.2g} to {rate:.2g} by step {step}; the remaining {left} of "
            f"{len(rates)} steps change nothing.",
            step=step,
            site=scheduler_site(recording) or (optimizer.site if optimizer is not None else None),
            severity=Severity.ADVICE if beats_chance(recording) else Severity.WARNING,
            largest=peak,
            rate=rate,
            steps_left=left,
        )
