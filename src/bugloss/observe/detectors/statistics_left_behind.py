"""statistics-left-behind."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_KIND = "statistics-left-behind"


class StatisticsLeftBehind(Detector):
    """A model follows another one in its weights, but not in its running statistics.

    ## What it finds
    A moving average, a target network or another copy whose weights change with those of the model that trains, while
    its batch norm layers keep the running means and variances of a new or an old model.

    ## Why it hurts
    In evaluation mode batch norm divides by these statistics. The copy answers as a model that was never trained.

    ## How it decides
    Both models have parameters of equal shapes. The statistics of the copy are those of new layers, or the same as at
    its first use, while those of the model that trains have moved; no threshold is involved.

    ## Known problems
    Only PyTorch is observed so closely.

    ## References
    PyTorch documentation of ``torch.optim.swa_utils``: ``use_buffers`` and ``update_bn``.
    """

    name = "statistics-left-behind"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(occasions=(Occasion(_KIND, 40, facts={"layers": 3, "untouched": True, "distance": 0.2}),)),
        sketch(occasions=(Occasion(_KIND, 80, facts={"layers": 1, "untouched": False, "distance": 0.1}),)),
    )
    healthy = (sketch(occasions=(Occasion("states-kept", 40),)), sketch(occasions=()))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        seen = next((item for item in recording.occasions if item.kind == _KIND), None)
        if seen is None:
            return
        state = "those of new layers" if seen.facts.get("untouched") else "those of its first use"
        yield self.symptom(
            "The weights of a copy follow those of the model that trains, but its running means and variances are "
            f"still {state}.",
            step=seen.step,
            site=seen.site,
            layers=seen.facts.get("layers"),
        )
