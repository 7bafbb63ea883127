"""nondeterministic-evaluation."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import classifies
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import CLASSIFIED, encoding
from bugloss.observe.layer_kinds import number
from bugloss.observe.recording import PropertyAnswer, Recording, Targets
from bugloss.observe.sketch import sketch

_PROPERTY = "deterministic-evaluation"
_DIFFERENT = PropertyAnswer(_PROPERTY, False, {"largest_change": 0.3})


class NondeterministicEvaluation(Detector):
    """In evaluation mode the model gives different outputs for the same batch.

    ## What it finds
    Models whose output in evaluation mode is random.

    ## Why it hurts
    Something that belongs to training only, mostly dropout called as a function without ``training=self.training``, is
    still active when the model is used. Results are worse than they could be and not repeatable.

    ## How it decides
    A property probe runs a batch twice through a copy in evaluation mode. It is a warning for classifiers. Other
    models, such as variational ones, may draw samples on purpose: advice.

    ## Known problems
    Operations that sum in random order differ in the last digits; the probe allows for that.

    ## References
    ``torch.nn.functional.dropout`` has ``training=True`` by default; huggingface/transformers#33844.
    """

    name = "nondeterministic-evaluation"
    severity = Severity.WARNING
    category = Category.API
    faulty = (sketch(properties=(_DIFFERENT,)), sketch(properties=(_DIFFERENT,), batch={"targets": Targets("real")}))
    healthy = (
        sketch(properties=(PropertyAnswer(_PROPERTY, True, {"largest_change": 0.0}),)),
        sketch(properties=(PropertyAnswer(_PROPERTY, None),)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answer = recording.property(_PROPERTY)
        if answer is None or answer.holds is not False:
            return
        change = number(answer.facts, "largest_change")
        kinds = {loss.kind for loss in recording.losses}
        classifier = bool(kinds) and all(map(classifies, kinds)) and encoding(recording) in CLASSIFIED
        model = recording.models[-1] if recording.models else None
        yield self.symptom(
            "In evaluation mode the outputs for one batch differ from call to call"
            + (f", by up to {change:.2g}." if change is not None else "."),
            step=answer.step,
            site=model.site if model is not None else None,
            severity=Severity.WARNING if classifier else Severity.ADVICE,
            largest_change=change,
        )
