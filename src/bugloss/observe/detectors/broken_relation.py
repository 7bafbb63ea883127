"""broken-relation."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import PropertyAnswer, Recording
from bugloss.observe.relations import rows
from bugloss.observe.sketch import sketch

_SITE = Site("train.py", 12, "forward", "x = x.view(-1, 3, 32, 32)")
_RESHAPED = PropertyAnswer(
    "reshape-keeps-axes", False, {"before": [8, 32, 32, 3], "after": [8, 3, 32, 32]}, site=_SITE, operation="view"
)
_MOVED = PropertyAnswer("batch-permutation", False, {"largest_change": 0.7, "sample": 3}, layer="encoder")
_PADDED = PropertyAnswer("masked-content", False, {"largest_change": 0.7, "mask_without_effect": False})
_UNMASKED = PropertyAnswer("masked-content", False, {"largest_change": 0.7, "mask_without_effect": True})
_MIXED = PropertyAnswer("batch-independence", False, {"largest_change": 0.7})


class BrokenRelation(Detector):
    """Two computations that agree in every correct program do not agree in this one.

    ## What it finds
    Relations that a copy of the model breaks: outputs that change when samples of a batch change places, when padding
    gets other values or when a sample comes alone; inputs without influence; a loss that is the same with the targets
    of other samples, or whose terms are summed in one place and averaged in another.

    ## Why it hurts
    Such a fault raises no exception and often leaves no trace in the loss: the model trains, on something else than was
    meant.

    ## How it decides
    When the program is over, each relation is tried on a copy of the model with a batch of the first step. The message
    has the numbers of both computations, the site is the first operation after which they differ. What a sound program
    may do on purpose is advice. Padding that a mask keeps out for the most part, but for the border of a convolution,
    is a warning only where the model does not learn. Of breaks that follow from one another the
    first is reported. Outputs that change by themselves are left to ``nondeterministic-evaluation``.

    ## Known problems
    Models that compare the samples of a batch on purpose break some of these relations.

    ## References
    Chen et al., "Metamorphic testing: a review of challenges and opportunities" (2018); Dwarakanath et al.,
    "Identifying implementation bugs in machine learning based image classifiers using metamorphic testing" (2018).
    """

    name = "broken-relation"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(properties=(_RESHAPED,)),
        sketch(properties=(_UNMASKED,)),
        sketch([0.69] * 200, properties=(_PADDED,)),
        sketch(properties=(_MOVED, PropertyAnswer("outputs-judged", False, {"idle": [3], "units": 4}))),
    )
    healthy = (
        sketch(properties=(PropertyAnswer("reshape-keeps-axes", True), PropertyAnswer("mask-used", None))),
        sketch(properties=(_MOVED, _MIXED)),
        sketch(properties=(PropertyAnswer("deterministic-evaluation", False),)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answers = {answer.name: answer for answer in recording.properties if answer.holds is False}
        for name, answer in answers.items():
            row = rows().get(name)
            if row is None or any(other in answers for other in row.unless):
                continue
            yield self.symptom(
                row.sentence(answer.facts),
                step=answer.step,
                layer=answer.layer or None,
                site=answer.site or answer.made,
                severity=row.severity if row.is_proven(answer.facts) else alarm_if_struggling(recording),
                relation=name,
                operation=answer.operation or None,
            )
