"""overlapping-windows."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import kept
from bugloss.observe.recording import Recording, SampleFacts
from bugloss.observe.sketch import sketch

_MANY = 0.3  # of the windows: a split in time shares only those across its border, which are few


def _both(shared: float | None) -> tuple[SampleFacts, ...]:
    return SampleFacts("train", 400, (24, 1)), SampleFacts("validation", 100, (24, 1), shared_windows=shared)


class OverlappingWindows(Detector):
    """Windows of one series are in training and in validation, and contain the same values.

    ## What it finds
    Validation windows that begin or end within a training window.

    ## Why it hurts
    Neighbouring windows are nearly the same sample. Cut into windows first and split at random afterwards, the series
    is known from the training, and validation looks far better than the forecast of new values will be.

    ## How it decides
    Windows of one series have every value in common from the beginning of one to the end of the other, and change up
    to both borders. Three in ten validation windows with such a neighbour are a warning. A sound that occurs in many
    recordings, silence and padding do not count. Inputs of whole numbers are left out, since few values repeat by
    nature.

    ## Known problems
    Only some hundred windows of each part are kept, so that the share is a lower bound.

    ## References
    Kapoor and Narayanan, "Leakage and the reproducibility crisis" (2023), temporal leakage.
    """

    name = "overlapping-windows"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(kept=_both(0.9)), sketch(kept=_both(0.35)))
    healthy = (sketch(kept=_both(0.0)), sketch(kept=_both(0.1)), sketch(kept=_both(None)))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        validation = kept(recording, "validation")
        shared = validation.shared_windows if validation is not None else None
        if validation is not None and shared is not None and shared >= _MANY:
            yield self.symptom(
                f"{shared:.0%} of {validation.samples} validation windows overlap with a training window.",
                site=validation.site,
                shared=shared,
                windows=validation.samples,
            )
