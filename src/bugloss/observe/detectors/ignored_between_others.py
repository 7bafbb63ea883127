"""ignored-between-others."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_KIND = "ignored-between-others"


def _seen(**facts: int) -> tuple[Occasion, ...]:
    return (Occasion(_KIND, 2, facts=facts),)


class IgnoredBetweenOthers(Detector):
    """The loss leaves out a label that stands between labels that count.

    ## What it finds
    A loss with ``ignore_index`` for sequences, where the ignored label occurs in the middle of most sequences and not
    only at their ends.

    ## Why it hurts
    Padding is at the ends. A label in the middle belongs to a real symbol: its class is never trained, and what the
    model answers there is arbitrary.

    ## How it decides
    At least sixteen sequences have the label, three of ten of them between others. Models that fill in masked symbols
    are left out: they see one symbol at all places that are scored.

    ## Known problems
    Sequences that are labelled in part on purpose look the same.

    ## References
    PyTorch documentation of ``torch.nn.CrossEntropyLoss``.
    """

    name = "ignored-between-others"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(occasions=_seen(ignored=0, rows=32, between=32)),
        sketch(occasions=_seen(ignored=3, rows=16, between=12)),
    )
    healthy = (sketch(occasions=(Occasion("states-kept", 40),)), sketch(occasions=()))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        seen = next((item for item in recording.occasions if item.kind == _KIND), None)
        if seen is not None:
            facts = seen.facts
            yield self.symptom(
                f"Label {facts.get('ignored')}, which the loss ignores, stands between other labels in "
                f"{facts.get('between')} of {facts.get('rows')} sequences: it is a class, not padding.",
                step=seen.step,
                site=seen.site,
                ignored=facts.get("ignored"),
            )
