"""evaluation-not-repeatable."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import is_number
from bugloss.observe.recording import Evaluation, Recording
from bugloss.observe.sketch import sketch

_ROUNDING = 2e-3  # of the value: batches of other sizes and threads round differently, by far less
_LEAST = 1e-6  # an absolute difference below this is rounding, whatever the value


def _pair(
    first: float, second: float, content: str = "a1", later: int = 50, partial: bool = False
) -> tuple[Evaluation, ...]:
    return (
        Evaluation(50, 4, 100, loss=first, content=content, data="validation", partial=partial),
        Evaluation(later, 4, 100, loss=second, content="a1", data="validation", partial=partial),
    )


class EvaluationNotRepeatable(Detector):
    """The same weights on the same samples gave two different results.

    ## What it finds
    Two evaluations of the same samples with no step between them, whose loss or accuracy differs.

    ## Why it hurts
    One of the two numbers, or both, do not say how good the model is. Mostly layers are still in training mode, labels
    are matched with predictions of another order, or the evaluation changes the model.

    ## How it decides
    Samples are known by the hash of their values, whatever their order. A difference beyond rounding is a warning.
    Evaluations that read only some of the outputs, as of a graph with masks, are not compared.

    ## Known problems
    Models that sample on purpose (Monte Carlo dropout, diffusion) differ each time.

    ## References
    Relation "evaluating twice gives the same metric".
    """

    name = "evaluation-not-repeatable"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(evaluations=_pair(0.4, 0.5)), sketch(evaluations=_pair(0.4, 0.41)))
    healthy = (
        sketch(evaluations=_pair(0.4, 0.4)),
        sketch(evaluations=_pair(0.4, 0.5, content="b2")),
        sketch(evaluations=_pair(0.4, 0.5, later=60)),
        sketch(evaluations=_pair(0.4, 0.5, content="")),
        sketch(evaluations=_pair(0.4, 0.5, partial=True)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        first: dict[tuple[int, str, int, str], Evaluation] = {}
        for item in recording.evaluations:
            if not item.content or item.partial:
                continue
            before = first.setdefault((item.step, item.content, item.samples, item.model), item)
            for name in ("loss", "accuracy"):
                one, other = getattr(before, name), getattr(item, name)
                if is_number(one) and is_number(other) and abs(one - other) > max(_ROUNDING * abs(one), _LEAST):
                    yield self.symptom(
                        f"The same {item.samples} samples with the same weights gave a {name} of {one:.4g} and then "
                        f"{other:.4g}.",
                        step=item.step,
                        site=item.site,
                        first=one,
                        second=other,
                    )
                    return
