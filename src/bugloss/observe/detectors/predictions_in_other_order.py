"""predictions-in-other-order."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_KIND = "predicted-shuffled"


class PredictionsInOtherOrder(Detector):
    """Predictions are made for a labelled source that shuffles its samples.

    ## What it finds
    ``predict`` on an iterator of images or a tf.data pipeline with labels that gives its samples in a new order in each
    pass.

    ## Why it hurts
    The predictions come in an order that no array of labels has, not even the labels of another pass over the same
    source. Whatever is computed from both compares samples with other samples.

    ## How it decides
    The iterator says that it shuffles, or the pipeline has a shuffle that is drawn again: a warning.

    ## Known problems
    Predictions that are only counted or shown need no order.

    ## References
    Keras documentation of ``ImageDataGenerator.flow``: ``shuffle`` is true by default.
    """

    name = "predictions-in-other-order"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(occasions=(Occasion(_KIND, 90, facts={"samples": 400}),)),
        sketch(occasions=(Occasion("compile", 0), Occasion(_KIND, 0, facts={"samples": 24}))),
    )
    healthy = (sketch(occasions=(Occasion("compile", 0),)), sketch(occasions=()))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        seen = next((item for item in recording.occasions if item.kind == _KIND), None)
        if seen is not None:
            yield self.symptom(
                f"predict() goes through a source that shuffles: its {seen.facts.get('samples')} answers are not in "
                "the order of the labels.",
                step=seen.step,
                site=seen.site,
            )
