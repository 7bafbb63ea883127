"""target-not-augmented."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import sources
from bugloss.observe.recording import DataPass, Recording
from bugloss.observe.sketch import sketch

_LEAST = 5  # mirrored images: fewer may be copies of each other by chance
_MOST = 0.5  # of them with a mirrored target: then the pair was turned together


def _pass(flipped: int, alone: int) -> DataPass:
    return DataPass("train", "source-0", 1, 20, 10, 320, 320, True, flipped=flipped, flipped_alone=alone)


class TargetNotAugmented(Detector):
    """Images are mirrored, and the masks that belong to them are not.

    ## What it finds
    Images that an earlier epoch had the other way round, with targets of the same height and width that stayed as they
    were.

    ## Why it hurts
    A mask marks what is no longer there: half of the pixels are learned wrongly, and the loss cannot get low.

    ## How it decides
    Images and targets are hashed, as they are and mirrored. Five mirrored images or more, half of them with a target
    that is not symmetric and did not turn, are a warning.

    ## Known problems
    Only left and right are compared; other turns, shifts and crops are not recognised.

    ## References
    ``torchvision.transforms.v2``, joint transforms; Albumentations, "mask augmentation".
    """

    name = "target-not-augmented"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(passes=(_pass(40, 40),)), sketch(passes=(_pass(40, 30),)))
    healthy = (sketch(passes=(_pass(40, 0),)), sketch(passes=(_pass(3, 3),)), sketch(passes=(_pass(0, 0),)))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for passes in sources(recording):
            flipped = sum(item.flipped for item in passes)
            alone = sum(item.flipped_alone for item in passes)
            if flipped >= _LEAST and alone >= _MOST * flipped:
                yield self.symptom(
                    f"{alone} of {flipped} images came mirrored in a later epoch while their target stayed as it was.",
                    site=passes[0].site,
                    mirrored=flipped,
                    mirrored_without_target=alone,
                )
