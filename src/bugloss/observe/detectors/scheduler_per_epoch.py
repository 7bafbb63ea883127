"""scheduler-per-epoch."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.rates import course, main_optimizer, scheduler_site, scheduler_steps
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_BY_STEP = ("OneCycleLR", "CyclicLR")
_SELDOM = 0.5  # of the updates: a schedule per update is stepped at each
_RISING = [0.004 + 0.0002 * (step // 10) for step in range(100)]


class SchedulerPerEpoch(Detector):
    """A schedule that counts updates is stepped once per epoch.

    ## What it finds
    One-cycle and cyclic schedules that end the run while their rate is still rising, because they were stepped far less
    often than the weights were updated.

    ## Why it hurts
    The warm-up never ends: the model trains with a fraction of the intended rate.

    ## How it decides
    The schedule is of a kind that is written for updates, it was stepped for fewer than half of them, and the last rate
    of the run is its largest. It is advice: the model may have learned nevertheless.

    ## Known problems
    Only schedules of these two kinds are known to count updates.

    ## References
    ``torch.optim.lr_scheduler.OneCycleLR``: stepped after every batch.
    """

    name = "scheduler-per-epoch"
    severity = Severity.ADVICE
    category = Category.TRAINING
    faulty = (
        sketch(
            optimizer={"scheduler": "OneCycleLR"}, occasions=(Occasion("scheduler-step", 99, 10),),
            steps={"learning_rate": _RISING},
        ),
        sketch(
            optimizer={"scheduler": "CyclicLR"}, occasions=(Occasion("scheduler-step", 99, 9),),
            steps={"learning_rate": _RISING},
        ),
    )  # fmt: skip
    healthy = (
        sketch(
            optimizer={"scheduler": "OneCycleLR"}, occasions=(Occasion("scheduler-step", 99, 100),),
            steps={"learning_rate": [*_RISING[::2], *_RISING[::-2]]},
        ),
        sketch(optimizer={"scheduler": "LambdaLR"}, steps={"learning_rate": _RISING}),
    )  # fmt: skip

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        optimizer, rates = main_optimizer(recording), [rate for _, rate in course(recording)]
        asked = scheduler_steps(recording)
        if optimizer is None or optimizer.scheduler not in _BY_STEP or not rates or not asked:
            return
        if asked > _SELDOM * len(rates) or rates[-1] < max(rates) or rates[-1] <= rates[0]:
            return
        yield self.symptom(
            f"{optimizer.scheduler} was stepped {asked} times in {len(rates)} updates, and its learning rate was "
            "still rising when the run ended.",
            site=scheduler_site(recording) or optimizer.site,
            scheduler=optimizer.scheduler,
            scheduler_steps=asked,
            updates=len(rates),
        )
