"""conflicting-labels."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.inputs import first_inputs
from bugloss.observe.labels import batches_of, whole_targets
from bugloss.observe.recording import InputFeatures, Recording, Targets
from bugloss.observe.sketch import sketch

# Of the samples: 2 % is beyond the label noise of curated data sets, 30 % beyond that of crawled ones.
_SOME, _MANY = 0.02, 0.3
_LEAST_VALUES = 4  # samples of fewer values coincide by chance


def _targets(share: float) -> Targets:
    return Targets("index", 10, {str(label): 6 for label in range(10)}, conflicting_share=share)


class ConflictingLabels(Detector):
    """The same input occurs with different labels.

    ## What it finds
    Samples that have an exact copy with another label.

    ## Why it hurts
    No model can predict both correctly, so the loss cannot reach zero.

    ## How it decides
    Samples are hashed bit by bit. A share of 2 % is advice. Three in ten, of real-valued samples with four values or
    more, is a warning; inputs of few discrete values naturally repeat with different labels.

    ## Known problems
    Targets that are random by design, as in generative models, look like conflicts.

    ## References
    deepchecks, conflicting labels; Northcutt et al., label errors (2021).
    """

    name = "conflicting-labels"
    severity = Severity.ADVICE
    category = Category.TRAINING
    faulty = (
        sketch(data={"targets": _targets(0.5)}),
        sketch(batch={"targets": _targets(0.1)}),
    )
    healthy = (
        sketch(),
        sketch(data={"targets": _targets(0.01)}),
        sketch(batch={"targets": Targets("real", conflicting_share=0.5)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        whole = whole_targets(recording, "train")
        seen = [batch.targets for batch in batches_of(recording, "train") if batch.targets is not None]
        known = [targets.conflicting_share for targets in ([whole] if whole else seen) if targets.encoding != "real"]
        share = sum(known) / len(known) if known else 0.0
        if share < _SOME:
            return
        yield self.symptom(
            f"{share:.0%} of the training samples have an exact copy with another label.",
            step=0,
            severity=Severity.WARNING if share >= _MANY and _varied(recording) else Severity.ADVICE,
            conflicting_share=share,
        )


def _varied(recording: Recording) -> bool:
    """Whether the inputs are real numbers, and enough of them that copies are not a coincidence."""
    return any(
        item.numbers.shape[-1] >= _LEAST_VALUES and not (item.features or InputFeatures()).integer_grid
        for item in first_inputs(recording)
    )
