"""samples-mixed-across-batch."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import is_batch_norm, layers_in_order, number
from bugloss.observe.recording import PropertyAnswer, RecordedLayer, Recording
from bugloss.observe.sketch import sketch

_PROPERTY = "batch-independence"
_MIXED = PropertyAnswer(_PROPERTY, False, {"largest_change": 0.7})
_UNTRACKED = RecordedLayer("bn", "BatchNorm1d", 80, 80, {"track_running_stats": False})


class SamplesMixedAcrossBatch(Detector):
    """The output for one sample depends on the other samples of its batch.

    ## What it finds
    Models whose output for a sample changes when another sample of the batch is changed, in evaluation mode.

    ## Why it hurts
    A reshape, a transposition or a mean over the wrong axis has mixed samples. The model learns from features of other
    samples, and its outputs depend on the batch.

    ## How it decides
    A property probe changes one sample of a batch, on a copy in evaluation mode, and compares the outputs of the
    others. Batch norm without running statistics mixes samples by design: then it is advice. Outputs that are random by
    themselves are left to ``nondeterministic-evaluation``.

    ## Known problems
    Contrastive models may compare the samples of a batch on purpose.

    ## References
    Lightning's ``BatchGradientVerification`` (lightning-bolts#194); TheDeepChecker (2023).
    """

    name = "samples-mixed-across-batch"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(properties=(_MIXED,)),
        sketch(properties=(_MIXED,), architecture=(RecordedLayer("fc", "Linear", 680, 680), _UNTRACKED)),
    )
    healthy = (
        sketch(properties=(PropertyAnswer(_PROPERTY, True, {"largest_change": 0.0}),)),
        sketch(properties=(PropertyAnswer(_PROPERTY, None),)),
        sketch(properties=(_MIXED, PropertyAnswer("deterministic-evaluation", False))),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answer = recording.property(_PROPERTY)
        steady = recording.property("deterministic-evaluation")
        if answer is None or answer.holds is not False or (steady is not None and steady.holds is False):
            return  # outputs that change by themselves say nothing about other samples
        if number(answer.facts, "moved"):
            return  # each output is that of one sample, in the row of another one: outputs-change-places
        change = number(answer.facts, "largest_change")
        norms = [layer for _, layer in layers_in_order(recording) if is_batch_norm(layer)]
        by_design = any(layer.settings.get("track_running_stats") is False for layer in norms)
        model = recording.models[-1] if recording.models else None
        yield self.symptom(
            "The outputs of a sample change when another sample of its batch is changed"
            + (f", by up to {change:.2g}." if change is not None else "."),
            step=answer.step,
            layer=answer.layer or None,
            site=answer.site or answer.made or (model.site if model is not None else None),
            severity=Severity.ADVICE if by_design else Severity.WARNING,
            largest_change=change,
        )
