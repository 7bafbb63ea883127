"""validation-scaled-by-itself."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import data_of
from bugloss.observe.recording import Data, InputFeatures, Recording
from bugloss.observe.sketch import sketch

_LEAST_SAMPLES = 20  # of a table: with fewer, no statistics are exact by accident, but nobody would compute them either


def _both(training: bool, validation: bool, samples: int = 200) -> Recording:
    return sketch(
        data={"features": InputFeatures(standard=training)},
        validation_data={"samples": samples, "features": InputFeatures(standard=validation)},
    )


class ValidationScaledByItself(Detector):
    """Validation inputs were scaled by their own statistics.

    ## What it finds
    Tables of training and of validation inputs that both have mean 0 and deviation 1 in every feature, exactly.

    ## Why it hurts
    The same raw value means something else in each part: a shift between the parts is hidden, and what the model was
    trained on does not occur again. A single sample in production has no statistics of its own at all.

    ## How it decides
    Statistics of the training part leave means in the validation part that differ from 0 by about one over the root of
    its size. Where each of them is 0 but for rounding, in both parts, it is a warning.

    ## Known problems
    Data that were made such that both parts are standard.

    ## References
    scikit-learn, "Common pitfalls": ``fit`` on training data only, ``transform`` on the rest.
    """

    name = "validation-scaled-by-itself"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (_both(True, True), _both(True, True, 4000))
    healthy = (_both(True, True, 10), _both(True, False), _both(False, True), _both(False, False), sketch())

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        training, validation = data_of(recording, "train"), data_of(recording, "validation")
        if training is None or validation is None or not (_is_standard(training) and _is_standard(validation)):
            return
        if validation.samples is not None and validation.samples < _LEAST_SAMPLES:
            return
        yield self.symptom(
            "Training and validation inputs both have mean 0 and deviation 1 in every feature, exactly: each part was "
            "scaled by its own statistics.",
            site=validation.site,
            samples=validation.samples,
        )


def _is_standard(data: Data) -> bool:
    return data.features is not None and data.features.standard
