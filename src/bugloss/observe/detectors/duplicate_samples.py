"""duplicate-samples."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.inputs import Input, inputs_of
from bugloss.observe.recording import InputFeatures, Numbers, Recording
from bugloss.observe.sketch import sketch

_MANY, _NEARLY_ALL = 0.2, 0.9  # oversampling doubles some samples; nine in ten copies leave next to no data
_LEAST_SAMPLES = 16  # with fewer samples a share of copies means nothing
_LEAST_VALUES = 8  # samples of fewer values coincide by chance


def _features(share: float, grid: bool = False) -> dict[str, tuple[InputFeatures, ...]]:
    return {"features": (InputFeatures(duplicate_share=share, integer_grid=grid),)}


class DuplicateSamples(Detector):
    """Many training samples are exact copies of others.

    ## What it finds
    Data or batches in which a fifth of the samples, or nearly all, occur more than once.

    ## Why it hurts
    Duplicates add no information, and when data are split after duplication, copies end up in both parts. A batch of
    copies comes from a loader that repeats samples.

    ## How it decides
    Samples are hashed bit by bit. For batches, the smallest share counts. A fifth is advice, nine tenths of real-valued
    samples of eight values or more a warning; inputs of few values or of integers repeat naturally and stay advice.

    ## Known problems
    Oversampling rare classes makes copies on purpose.

    ## References
    cleanlab and deepchecks, near-duplicate checks; CIFAR's duplicates (Barz and Denzler, 2020).
    """

    name = "duplicate-samples"
    severity = Severity.ADVICE
    category = Category.TRAINING
    faulty = (sketch(batch=[_features(0.98), _features(1.0)]), sketch(batch=_features(0.4)))
    healthy = (
        sketch(batch=_features(0.05)),
        sketch(batch=[_features(0.5), _features(0.0)]),
        sketch(batch={"inputs": (Numbers((4, 2), "float32", 0.0, 1.0, 0.5, 0.5),), "size": 4, **_features(1.0, True)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        seen = [item for item in inputs_of(recording, "train") if item.place == 0 and item.samples >= _LEAST_SAMPLES]
        known = [(item, item.features.duplicate_share) for item in seen if item.features is not None]
        if not known:
            return
        first, share = known[0] if known[0][0].whole else min(known, key=lambda pair: pair[1])
        if share < _MANY:
            return
        yield self.symptom(
            f"{share:.0%} of the samples in {'the training data' if first.whole else 'a batch'} are duplicates.",
            step=first.step,
            site=first.site,
            severity=Severity.WARNING if share >= _NEARLY_ALL and not _repeats_by_nature(first) else Severity.ADVICE,
            duplicate_share=share,
        )


def _repeats_by_nature(item: Input) -> bool:
    whole_numbers = item.features is not None and item.features.integer_grid
    return whole_numbers or not item.is_real or prod(item.numbers.shape[1:]) < _LEAST_VALUES
