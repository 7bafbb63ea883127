"""targets-change-places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import LEAST_SAMPLES, sources
from bugloss.observe.recording import DataPass, Occasion, Recording
from bugloss.observe.sketch import sketch

_MANY = 0.2  # of the samples met again: noise that is put on labels on purpose seldom exceeds a fifth
_BEYOND_FIRST = 0.1  # above the share within the first pass, in which copies disagree by nature
_DISPUTED = 0.05  # of the samples of a pass have several targets at once: these depend on more than the input

_APART = "shuffled-apart"


def _passes(first: int, later: int) -> tuple[DataPass, ...]:
    return (
        DataPass(
            "train", "source-0", 0, 10, 10, 320, 320, True, distinct=320, again=100 if first else 0, changed=first
        ),
        DataPass("train", "source-0", 1, 20, 10, 320, 320, True, distinct=320, again=320, changed=later),
    )


class TargetsChangePlaces(Detector):
    """The same inputs come with the targets of other inputs in the next epoch.

    ## What it finds
    Inputs that are met again with a target that belonged to another input before.

    ## Why it hurts
    Inputs and targets no longer belong together: there is nothing to learn. Mostly one of them is shuffled and the
    other is not, or two loaders that shuffle by themselves are read side by side.

    ## How it decides
    Input and target of each sample are hashed. Where a fifth of the samples that come again have changed their target,
    and for one that another sample had, it is a warning. New values, as in reinforcement learning or after mixing
    samples, do not count; nor do disagreeing copies within one pass, as the states of a replay memory have with their
    actions. tf.data pipelines that shuffle parts with
    different seeds and then zip them are read from their stages.

    ## Known problems
    Inputs that are augmented are never met again, so that nothing can be said about them.

    ## References
    Relation "shuffling keeps pairs"; ``check`` rule shuffled-separately.
    """

    name = "targets-change-places"
    severity = Severity.ERROR
    category = Category.TRAINING
    faulty = (
        sketch(passes=_passes(0, 160)),
        sketch(passes=_passes(0, 90)),
        sketch(occasions=(Occasion(_APART, 0),)),
    )
    healthy = (
        sketch(passes=_passes(0, 0)),
        sketch(passes=_passes(0, 20)),
        sketch(passes=_passes(45, 144)),
        sketch(passes=_passes(0, 160)[:1]),
        sketch(passes=(*_passes(0, 160)[:1], replace(_passes(0, 160)[1], disputed=60))),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        apart = next((item for item in recording.occasions if item.kind == _APART), None)
        if apart is not None:
            yield self.symptom(
                "Inputs and targets are shuffled one by one, in different orders, before they are zipped.",
                site=apart.site,
            )
            return
        for passes in sources(recording):
            if any(item.disputed > _DISPUTED * max(item.looked, 1) for item in passes):
                continue
            by_nature = _share(passes[0])
            for item in passes[1:]:
                share = _share(item)
                if item.again < LEAST_SAMPLES or share < max(_MANY, by_nature + _BEYOND_FIRST):
                    continue
                yield self.symptom(
                    f"{item.changed} of {item.again} inputs that came again had the target of another input.",
                    step=item.step,
                    site=item.site,
                    met_again=item.again,
                    with_another_target=item.changed,
                )
                break


def _share(item: DataPass) -> float:
    return item.changed / item.again if item.again else 0.0
