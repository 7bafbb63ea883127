"""values-wrap-around."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import kept
from bugloss.observe.recording import Recording, SampleFacts
from bugloss.observe.sketch import sketch


def _kept(wraps: bool | None, phase: str = "train") -> tuple[SampleFacts, ...]:
    return (SampleFacts(phase, 200, (3, 16, 16), wraps=wraps),)


class ValuesWrapAround(Detector):
    """Values of small integers ran over an end of their range.

    ## What it finds
    Inputs of at most 256 levels that are at both ends of the range with a hole between, or whose neighbouring pixels
    jump from one end to the other.

    ## Why it hurts
    ``images - mean`` of ``uint8`` arrays has no negative values: what is a little darker than the mean becomes the
    brightest of all. The shapes and the range are right, and the contents are torn.

    ## How it decides
    Levels next to both ends must be used in the same way, which black and white images do not. A warning where twelve
    levels or more between them are empty, or where neighbouring pixels are much closer if 255 counts as next to 0.

    ## Known problems
    Angles and other quantities that are circular by nature, stored in one byte, look the same.

    ## References
    NumPy, "Data types": fixed-size integers overflow silently.
    """

    name = "values-wrap-around"
    severity = Severity.WARNING
    category = Category.TENSOR
    faulty = (sketch(kept=_kept(True)), sketch(kept=_kept(True, "validation")))
    healthy = (sketch(kept=_kept(False)), sketch(kept=_kept(None)), sketch(kept=()))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for phase, name in (("train", "training"), ("validation", "validation")):
            samples = kept(recording, phase)
            if samples is not None and samples.wraps:
                yield self.symptom(
                    f"Values of the {name} inputs jump from one end of 256 levels to the other: integers of 8 bits ran "
                    "over the end of their range.",
                    site=samples.site,
                    samples=samples.samples,
                )
                return
