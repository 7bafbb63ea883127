"""causal-leak."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.recording import PropertyAnswer, Recording
from bugloss.observe.sketch import falling, sketch

_PROPERTY = "causality"
_LEAK = PropertyAnswer(_PROPERTY, False, {"largest_change": 0.4, "position": 3})


class CausalLeak(Detector):
    """An output of a sequence model changes with inputs that come after it.

    ## What it finds
    Sequence models that see the future: the output at one position depends on a later token.

    ## Why it hurts
    A model that should predict the next token can read it instead. Its loss is very low, but the text that it generates
    is nonsense.

    ## How it decides
    A property probe changes a late token on a copy and compares the outputs before it. It is run only for models that
    predict their own shifted input; there it is a warning.

    ## Known problems
    Bidirectional models that are trained to fill gaps see later tokens on purpose.

    ## References
    Karpathy, "A recipe for training neural networks" (2019), on using backprop to chart dependencies.
    """

    name = "causal-leak"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(falling(4.0, 0.01), properties=(_LEAK,)),
        sketch(properties=(PropertyAnswer(_PROPERTY, False),)),
    )
    healthy = (
        sketch(properties=(PropertyAnswer(_PROPERTY, True, {"largest_change": 0.0}),)),
        sketch(properties=(PropertyAnswer(_PROPERTY, None),)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answer = recording.property(_PROPERTY)
        if answer is None or answer.holds is not False:
            return
        change, position = number(answer.facts, "largest_change"), number(answer.facts, "position")
        where = f" at position {position:.0f}" if position is not None else ""
        model = recording.models[-1] if recording.models else None
        yield self.symptom(
            f"Outputs{where} depend on later tokens"
            + (f": they change by up to {change:.2g}." if change is not None else "."),
            step=answer.step,
            layer=answer.layer or None,
            site=answer.site or answer.made or (model.site if model is not None else None),
            largest_change=change,
            position=position,
        )
