"""tiny-data."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import CLASSIFIED, counts, data_of, encoding
from bugloss.observe.layer_kinds import latest_models
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.underperformance import validation_underperforms

_PER_CLASS = 10  # samples: with fewer no split of a class is representative
_PER_SAMPLE = 1000  # trainable parameters: enough to memorise each sample many times over


class TinyData(Detector):
    """There are very few training samples for the number of classes or of parameters.

    ## What it finds
    Fewer than ten samples for each class, or a thousand trainable parameters or more for each sample.

    ## Why it hurts
    The model can memorize the samples without generalizing to others.

    ## How it decides
    By the size of the training data. It is advice, since small examples and fine-tuning may work well, and a warning
    when validation is clearly worse than training.

    ## Known problems
    Data that are generated while training have no size.

    ## References
    TheDeepChecker (2023); the bug localization study's cases of missing data.
    """

    name = "tiny-data"
    severity = Severity.ADVICE
    category = Category.TRAINING
    faulty = (
        sketch(data={"samples": 50}),
        sketch(
            data={"samples": 300}, model={"parameters": 9_000_000, "trainable": 9_000_000},
            accuracies=[0.5, 0.8, 1.0], validation_accuracies=[0.2, 0.25, 0.3],
        ),
    )  # fmt: skip
    healthy = (
        sketch(),
        sketch(data={"samples": 300}, model={"parameters": 9_000_000, "trainable": 4000}),
        sketch(data={"samples": None}),
        sketch(data={"samples": 100}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        data = data_of(recording, "train")
        if data is None or not data.samples or not recording.steps:
            return
        classes = len(counts(recording, "train")) if encoding(recording) in CLASSIFIED else None
        trainable = sum(model.trainable for model in latest_models(recording))
        few = classes is not None and classes > 1 and data.samples < _PER_CLASS * classes
        if not few and trainable < _PER_SAMPLE * data.samples:
            return
        against = f"{classes} classes" if few else f"{trainable} trainable parameters"
        yield self.symptom(
            f"There are {data.samples} training samples for {against}.",
            step=0,
            site=data.site,
            severity=Severity.WARNING if validation_underperforms(recording) else Severity.ADVICE,
            samples=data.samples,
            classes=classes,
            trainable_parameters=trainable,
        )
