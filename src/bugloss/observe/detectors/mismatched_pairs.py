"""mismatched-pairs."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_KIND = "mismatched-pairs"


def _seen(**facts: float) -> tuple[Occasion, ...]:
    return (Occasion(_KIND, 0, facts=facts),)


class MismatchedPairs(Detector):
    """A contrastive loss pairs rows that are not views of one sample.

    ## What it finds
    A cross entropy over all similarities of a batch whose targets name other rows than those in which the second views
    stand, such as ``i ^ 1`` where the views come one after the other.

    ## Why it hurts
    Samples that have nothing in common are pulled together, and the two views of a sample are pushed apart.

    ## How it decides
    Two views of a sample are each other's nearest among the inputs of the batch. Where this is so for half of the rows
    and at most a fifth of these have the target that it means, it is a warning. The order of two outputs that were put
    together is read from the similarities.

    ## Known problems
    Augmentation that changes samples beyond recognition leaves nothing to compare.

    ## References
    Chen et al., "A Simple Framework for Contrastive Learning of Visual Representations" (2020).
    """

    name = "mismatched-pairs"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(occasions=_seen(rows=128, known=128, agree=0.0)),
        sketch(occasions=_seen(rows=64, known=40, agree=0.1)),
    )
    healthy = (sketch(occasions=(Occasion("states-kept", 40),)), sketch(occasions=()))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        seen = next((item for item in recording.occasions if item.kind == _KIND), None)
        if seen is not None:
            facts = seen.facts
            yield self.symptom(
                f"Of {facts.get('known')} rows whose other view is known, {facts.get('agree'):.0%} have its row as "
                "their target: the loss pairs views of different samples."
                if isinstance(facts.get("agree"), int | float)
                else "The loss pairs views of different samples.",
                step=seen.step,
                site=seen.site,
                rows=facts.get("rows"),
            )
