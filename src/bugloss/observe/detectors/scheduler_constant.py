"""scheduler-constant."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.rates import course, epochs_seen, main_optimizer, scheduler_steps
from bugloss.observe.recording import Occasion, Recording, Started
from bugloss.observe.sketch import sketch

_LEAST_STEPS = 50  # schedules of shorter runs may not have begun
_STEP_LR = {"scheduler": "StepLR"}


class SchedulerConstant(Detector):
    """There is a learning-rate schedule, but the rate never changes.

    ## What it finds
    Schedules that are created and never stepped, and schedules that are stepped without any effect.

    ## Why it hurts
    The program does not train with the intended learning rate.

    ## How it decides
    The optimizer has a schedule, the rate is the same at every step of fifty or more and of two epochs, and the
    schedule was never stepped: a warning. Where it was stepped, its first change may come after the end of the run:
    advice. Schedules that wait for a plateau are reported only when never stepped.

    ## Known problems
    Schedules that are not PyTorch's own may be stepped unseen, so that Keras and unknown classes are advice.

    ## References
    ``torch.optim.lr_scheduler``: ``step`` is the caller's duty.
    """

    name = "scheduler-constant"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(optimizer=_STEP_LR),
        sketch(optimizer=_STEP_LR, occasions=(Occasion("scheduler-step", 99, 10),)),
    )
    healthy = (
        sketch(optimizer=_STEP_LR, steps={"learning_rate": [0.1] * 50 + [0.01]}),
        sketch(optimizer={"scheduler": "ReduceLROnPlateau"}, occasions=(Occasion("scheduler-step", 99, 10),)),
        sketch(),
        sketch([2.3, 2.2, 2.1], optimizer=_STEP_LR),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        optimizer, rates = main_optimizer(recording), [rate for _, rate in course(recording)]
        if optimizer is None or not optimizer.scheduler or len(rates) < _LEAST_STEPS or epochs_seen(recording) < 2:
            return
        asked = scheduler_steps(recording)
        if len(set(rates)) > 1 or (asked and "Plateau" in optimizer.scheduler):
            return
        torch = (recording.started or Started("", "")).framework == "torch"
        done = f"was stepped {asked} times without effect" if asked else "was never stepped"
        yield self.symptom(
            f"{optimizer.scheduler} {done}: the learning rate stays at {rates[0]:g} for all {len(rates)} steps.",
            site=optimizer.site,
            severity=Severity.WARNING if torch and not asked else Severity.ADVICE,
            scheduler=optimizer.scheduler,
            scheduler_steps=asked,
            learning_rate=rates[0],
        )
