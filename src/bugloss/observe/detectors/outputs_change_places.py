"""outputs-change-places."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import PropertyAnswer, Recording
from bugloss.observe.sketch import sketch

_PROPERTY = "batch-independence"


def _answer(**facts: float) -> tuple[PropertyAnswer, ...]:
    return (PropertyAnswer(_PROPERTY, False, {"largest_change": 0.7, **facts}),)


class OutputsChangePlaces(Detector):
    """The model gives each sample's output in the row of another sample.

    ## What it finds
    Models in which each sample of a batch changes exactly one row of the output, and this row belongs to another
    sample.

    ## Why it hurts
    Outputs and targets do not line up. Mostly a batch was sorted by length, and the order was not restored, or restored
    with the permutation itself instead of its inverse.

    ## How it decides
    Samples of a batch are changed one by one, on a copy in evaluation mode. No threshold beyond rounding is involved.

    ## Known problems
    Models that shuffle their batch on purpose are reported as well.

    ## References
    PyTorch documentation of ``pack_padded_sequence``: ``enforce_sorted``.
    """

    name = "outputs-change-places"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(properties=_answer(moved=5, moved_of=6, **{"from": 0, "to": 7})),
        sketch(properties=_answer(moved=1, moved_of=4, **{"from": 2, "to": 1})),
    )
    healthy = (
        sketch(properties=_answer()),
        sketch(properties=(PropertyAnswer(_PROPERTY, True, {"largest_change": 0.0}),)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answer = recording.property(_PROPERTY)
        if answer is None or answer.holds is not False or not answer.facts.get("moved"):
            return
        facts = answer.facts
        yield self.symptom(
            f"The output of sample {facts.get('from')} is in row {facts.get('to')}: {facts.get('moved')} of "
            f"{facts.get('moved_of')} samples have the row of another one.",
            step=answer.step,
            layer=answer.layer or None,
            site=answer.site or answer.made,
            moved=facts.get("moved"),
        )
