"""constant-features."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.inputs import Input, inputs_of
from bugloss.observe.recording import InputFeatures, Numbers, Recording
from bugloss.observe.sketch import sketch

_MOST = 0.9  # nine in ten: one-hot and padded inputs have many, but not that many, constant features
_SPARSE = 0.5  # of the values are zero: word counts and the like, whose features are rarely set
_LEAST_SAMPLES = 8  # in smaller batches a healthy feature is often constant by chance
_SPARSE_NUMBERS = Numbers((64, 5000), "float32", 0.0, 3.0, 0.01, 0.1, 0.99)


def _features(constant: float) -> dict[str, tuple[InputFeatures, ...]]:
    return {"features": (InputFeatures(constant_share=constant),)}


class ConstantFeatures(Detector):
    """Most features, or all of them, have the same value in every sample.

    ## What it finds
    Inputs in which nine of ten features never vary, or in which all samples are the same.

    ## Why it hurts
    Constant features carry no information. When all are constant, the model can only learn the mean target. The usual
    cause is a pipeline that overwrites, zeroes or repeats its data.

    ## How it decides
    Every inspected training batch of eight samples or more must show it. All features constant in all real-valued
    inputs is an error, nine of ten a warning. Inputs of mostly zeros, such as word counts, stay advice.

    ## Known problems
    Only the first 4096 features are read.

    ## References
    TheDeepChecker (2023), constant features; deepchecks.
    """

    name = "constant-features"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(batch=[_features(1.0), _features(1.0)]),
        sketch(batch=_features(0.95)),
        sketch(batch={"inputs": (_SPARSE_NUMBERS,), "features": (InputFeatures(constant_share=0.97),)}),
    )
    healthy = (
        sketch(batch=_features(0.4)),
        sketch(batch=[_features(1.0), _features(0.1)]),
        sketch(batch={"size": 1, "features": (InputFeatures(constant_share=1.0),)}),
        sketch(batch={"inputs": (Numbers((64, 20), "int64", 0.0, 19.0, 9.5, 5.8),), **_features(1.0)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        seen = [item for item in inputs_of(recording, "train") if item.is_real and item.samples >= _LEAST_SAMPLES]
        known = [(item, item.features.constant_share) for item in seen if item.features is not None]
        if not known:
            return
        least = min(share for _, share in known)
        if least < _MOST:
            return
        first = known[0][0]
        text = "All samples are identical" if least >= 1 else f"{least:.0%} of the input features are constant"
        yield self.symptom(
            f"{text} in the {len(known)} batches or data sets that were inspected.",
            step=first.step,
            site=first.site,
            severity=_severity(first, least),
            constant_share=least,
            inputs=len(known),
        )


def _severity(first: Input, least: float) -> Severity:
    if least >= 1:
        return Severity.ERROR
    return Severity.ADVICE if first.numbers.zero_share >= _SPARSE else Severity.WARNING
