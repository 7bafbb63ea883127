"""preprocessing-skew."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pstdev

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.inputs import READ_IN_FULL, Input, inputs_of
from bugloss.observe.recording import Numbers, Occasion, Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.underperformance import validation_underperforms

_SURE = 6.0  # standard errors: many columns are compared, so the usual two or three would be exceeded by chance
# Times the deviation: random splits differ by a tenth or so, and four times is another unit.
_OTHER_SCALE, _MUCH_OTHER_SCALE = 1.6, 4.0
_SHIFT, _FAR_SHIFT = 0.5, 3.0  # deviations: half is what splits in time have, three is another quantity
_LEAST_SAMPLES = 16  # fewer samples do not give a deviation
_UNEVEN = 30.0  # the scales of the columns: one mean over such columns is that of the largest
_USED = "inputs-of-another-scale"  # what evaluate or predict was given
_PIXELS = "uint8"  # stored images; numbers of words and classes need more
_RAW = Numbers((64, 16), "float32", 0.0, 255.0, 33.0, 78.0)
_NEARLY = Numbers((64, 16), "float32", -2.8, 3.2, 0.06, 1.1)
_HALF = Numbers((64, 16), "float32", 0.0, 1.0, 0.5, 0.25)
_CENTRED = Numbers((64, 16), "float32", -1.0, 1.0, 0.0, 0.5)


@dataclass(frozen=True, slots=True)
class _Scale:
    mean: float
    deviation: float
    samples: int
    spread_of_means: float
    spread_of_deviations: float


class PreprocessingSkew(Detector):
    """Training and validation inputs are preprocessed in different ways.

    ## What it finds
    Validation inputs whose scale or centre differs from that of the training inputs far more than sampling error
    explains.

    ## Why it hurts
    The model is evaluated on inputs unlike those it was trained on, so validation is bad however good training is.

    ## How it decides
    Mean and deviation of both are compared, against the sampling error and against how much batches of the same phase
    differ among themselves. A deviation four times as large or small is a warning. A mean that moved by half a
    deviation is advice, since splits in time have that too, and a warning when validation does clearly worse than
    training and the scale changed as well, or the mean moved by three deviations. Arrays that Keras models are asked
    about later are compared feature by feature: a warning where most features are four deviations away, or five times
    as wide or narrow.

    ## Known problems
    Where few columns have most of the scale, a subsample of large data is unreliable and gives advice only. Strong
    augmentation changes the training inputs on purpose. Inputs of several models cannot be distinguished and are
    compared only where their shapes agree.

    ## References
    deepchecks, feature drift; TheDeepChecker (2023).
    """

    name = "preprocessing-skew"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(validation_batch={"inputs": (_RAW,)}),
        sketch(batch={"inputs": (_CENTRED,)}, validation_batch={"inputs": (_HALF,)}, validation=[2.3]),
        sketch(validation_batch={"inputs": (Numbers((64, 16), "float32", -1.0, 5.0, 2.0, 1.0),)}),
        sketch(validation_batch={"inputs": (replace(_RAW, dtype=_PIXELS),)}),
        sketch(occasions=(Occasion(_USED, 99, facts={"verb": "predict", "mean": 40.0, "deviation": 30.0}),)),
    )
    healthy = (
        sketch(validation_batch={}),
        sketch(validation_batch={"inputs": (_NEARLY,)}),
        sketch(validation_batch={"inputs": (Numbers((64, 99), "float32", 0.0, 255.0, 33.0, 78.0),)}),
        sketch(validation_batch={"size": 4, "inputs": (_RAW,)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        yield from self.used_later(recording)
        training, validation = _comparable(recording, "train"), _comparable(recording, "validation")
        for place, items in training.items():
            others = [
                item for item in validation.get(place, ()) if item.numbers.shape[1:] == items[0].numbers.shape[1:]
            ]
            one, other = _scale(items), _scale(others)
            if one is None or other is None:
                continue
            severity = _severity(one, other, validation_underperforms(recording))
            if severity is not None and not (_is_even(items[0]) and _is_even(others[0])):
                severity = Severity.ADVICE
            if severity is not None:
                yield self.symptom(
                    f"Training inputs have mean {one.mean:.3g} and standard deviation {one.deviation:.3g}, "
                    f"validation inputs {other.mean:.3g} and {other.deviation:.3g}.",
                    step=others[0].step,
                    site=others[0].site,
                    severity=severity,
                    training_mean=one.mean,
                    training_deviation=one.deviation,
                    validation_mean=other.mean,
                    validation_deviation=other.deviation,
                )

    def used_later(self, recording: Recording) -> Iterator[Symptom]:
        """Inputs of evaluate and predict that the probe found to be of another scale."""
        for seen in recording.occasions:
            if seen.kind != _USED:
                continue
            mean, deviation, known, usual = (
                value if isinstance(value := seen.facts.get(name), int | float) else math.nan
                for name in ("mean", "deviation", "training_mean", "training_deviation")
            )
            yield self.symptom(
                f"The inputs of {seen.facts.get('verb')} have mean {mean:.3g} and standard deviation {deviation:.3g}, "
                f"those of training {known:.3g} and {usual:.3g}.",
                step=seen.step,
                site=seen.site,
                used_mean=mean,
                used_deviation=deviation,
            )
            return


def _comparable(recording: Recording, phase: str) -> dict[int, list[Input]]:
    """Real-valued inputs and bytes by their place; what is known of all samples comes before batches."""
    found: dict[int, list[Input]] = {}
    for item in inputs_of(recording, phase):
        if (item.is_real or item.numbers.dtype == _PIXELS) and item.samples > 0:
            found.setdefault(item.place, []).append(item)
    return {place: [items[0]] if items[0].whole else items for place, items in found.items()}


def _is_even(item: Input) -> bool:
    """Whether a subsample represents the whole data: not where few columns have most of the scale."""
    whole = math.prod(item.numbers.shape) <= READ_IN_FULL
    return whole or item.features is None or item.features.scale_spread < _UNEVEN


def _scale(items: Sequence[Input]) -> _Scale | None:
    samples = sum(item.samples for item in items)
    if samples < _LEAST_SAMPLES:
        return None
    means, deviations = [item.numbers.mean for item in items], [item.numbers.std for item in items]
    return _Scale(fmean(means), fmean(deviations), samples, pstdev(means), pstdev(deviations))


def _severity(one: _Scale, other: _Scale, underperforms: bool) -> Severity | None:
    if min(one.deviation, other.deviation) <= 0:
        return None
    doubt = math.hypot(one.deviation / math.sqrt(one.samples), other.deviation / math.sqrt(other.samples))
    shift = abs(one.mean - other.mean)
    shifted = shift > _SURE * (doubt + one.spread_of_means + other.spread_of_means) and shift > _SHIFT * one.deviation
    ratio = max(one.deviation / other.deviation, other.deviation / one.deviation)
    change = abs(one.deviation - other.deviation)
    scaled = ratio > _OTHER_SCALE and change > _SURE * (one.spread_of_deviations + other.spread_of_deviations)
    if scaled and ratio > _MUCH_OTHER_SCALE:
        return Severity.WARNING
    if not shifted:
        return None
    sure = underperforms and (scaled or shift > _FAR_SHIFT * one.deviation)
    return Severity.WARNING if sure else Severity.ADVICE
