"""scheduler-per-step."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import progress
from bugloss.observe.rates import course, epochs_seen, main_optimizer, scheduler_site, scheduler_steps
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.underperformance import beats_chance

_BY_EPOCH = ("StepLR", "MultiStepLR", "ExponentialLR", "MultiplicativeLR", "ReduceLROnPlateau")
_EACH_STEP = 0.8  # of the updates: warm-up and skipped steps leave some out
_LOST = 0.01  # of the largest rate: what follows changes little
_EARLY = 0.5  # of the run: a schedule may well end low at the end
_EXPONENTIAL = {"scheduler": "ExponentialLR"}


def _stepped(times: int) -> tuple[Occasion, ...]:
    return (Occasion("scheduler-step", 99, times),)


class SchedulerPerStep(Detector):
    """A schedule that counts epochs is stepped after every batch.

    ## What it finds
    Step, multi-step, exponential and plateau schedules that are stepped with every update, so that the learning rate is
    almost zero early in the run.

    ## Why it hurts
    The rate decays too fast by the number of batches per epoch. Nothing is learned after an epoch or two.

    ## How it decides
    The schedule is of a kind that is written for epochs, it was stepped for at least eight in ten updates over two
    epochs or more, and the rate fell to a hundredth of its largest value in the first half of the run. It is a
    warning unless the model has learned its task well.

    ## Known problems
    Such a schedule may be meant for steps; then its rate stays high enough, and nothing is reported.

    ## References
    ``torch.optim.lr_scheduler``: most schedules are stepped once per epoch.
    """

    name = "scheduler-per-step"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(
            [2.3] * 100, optimizer=_EXPONENTIAL, occasions=_stepped(100),
            steps={"learning_rate": [0.1 * 0.8**step for step in range(100)]},
        ),
        sketch(
            optimizer={"scheduler": "StepLR"}, occasions=_stepped(99),
            steps={"learning_rate": [0.1 * 0.1 ** (step // 10) for step in range(100)]},
        ),
    )  # fmt: skip
    healthy = (
        sketch(
            optimizer=_EXPONENTIAL, occasions=_stepped(10),
            steps={"learning_rate": [0.1 * 0.5 ** (step // 10) for step in range(100)]},
        ),
        sketch(
            optimizer=_EXPONENTIAL, occasions=_stepped(100),
            steps={"learning_rate": [0.1 * 0.98**step for step in range(100)]},
        ),
        sketch(optimizer={"scheduler": "CosineAnnealingLR"}, occasions=_stepped(100)),
    )  # fmt: skip

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        optimizer, rates = main_optimizer(recording), course(recording)
        asked = scheduler_steps(recording)
        if optimizer is None or optimizer.scheduler not in _BY_EPOCH or not rates or epochs_seen(recording) < 2:
            return
        if asked < _EACH_STEP * len(rates):
            return
        peak = max(rate for _, rate in rates)
        lost = next(((place, step) for place, (step, rate) in enumerate(rates) if rate <= _LOST * peak), None)
        if lost is None or lost[0] > _EARLY * len(rates):
            return
        yield self.symptom(
            f"{optimizer.scheduler} was stepped {asked} times in {len(rates)} updates, so the learning rate fell to "
            f"a hundredth by step {lost[1]}.",
            step=lost[1],
            site=scheduler_site(recording) or optimizer.site,
            severity=Severity.WARNING if _falls_short(recording) else Severity.ADVICE,
            scheduler=optimizer.scheduler,
            scheduler_steps=asked,
            updates=len(rates),
        )


def _falls_short(recording: Recording) -> bool:
    """Whether the model has not learned its task, or not well."""
    known = progress(recording)
    return not beats_chance(recording) or (known is not None and known.poor)
