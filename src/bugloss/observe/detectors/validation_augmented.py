"""validation-augmented."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import data_of
from bugloss.observe.recording import Evaluation, Recording
from bugloss.observe.sketch import sketch

_LEAST_TIMES = 3  # evaluations of the same targets: two may differ for a reason of the program's
_LEAST_SAMPLES = 16  # with fewer, the same targets may come by chance


def _evaluations(inputs: str, targets: str = "aaaa", random: bool = True) -> tuple[Evaluation, ...]:
    return tuple(
        Evaluation(10 * place, 4, 100, 0.5, content=content, target_content=target, random=random, data="validation")
        for place, (content, target) in enumerate(zip(inputs, targets, strict=True))
    )


class ValidationAugmented(Detector):
    """Validation samples are augmented: they differ from evaluation to evaluation.

    ## What it finds
    Evaluations of the same targets with other inputs each time, made by code that draws random numbers.

    ## Why it hurts
    Validation measures how the model does on distorted samples, and differs by luck from epoch to epoch: the best epoch
    is partly the luckiest. Mostly training and validation share one data set, or one list of transforms.

    ## How it decides
    A warning where at least three evaluations had the same targets and never the same inputs, and the data set or its
    transforms name a source of random numbers. New data with each evaluation have new targets too.

    ## Known problems
    Averages over augmented copies at test time are augmented on purpose.

    ## References
    torchvision, "Transforms": separate pipelines for training and evaluation.
    """

    name = "validation-augmented"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(evaluations=_evaluations("wxyz")), sketch(evaluations=_evaluations("wxyzv", "aaaab")))
    healthy = (
        sketch(evaluations=_evaluations("wwww")),
        sketch(evaluations=_evaluations("wxyz", "abcd")),
        sketch(evaluations=_evaluations("wxyz", random=False)),
        sketch(evaluations=_evaluations("wxyz")[:2]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found: dict[str, list[Evaluation]] = {}
        data = data_of(recording, "validation")
        for item in recording.evaluations:
            if item.random and item.content and item.target_content and item.samples >= _LEAST_SAMPLES:
                found.setdefault(item.target_content, []).append(item)
        for items in found.values():
            if len(items) >= _LEAST_TIMES and len({item.content for item in items}) == len(items):
                yield self.symptom(
                    f"{len(items)} evaluations had the same targets, but other inputs each time: validation samples "
                    "are changed at random.",
                    step=items[0].step,
                    site=data.site if data is not None and data.site is not None else items[0].site,
                    evaluations=len(items),
                )
                return
