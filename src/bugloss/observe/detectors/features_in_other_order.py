"""features-in-other-order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import permutations

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import is_number, kept
from bugloss.observe.recording import Recording, SampleFacts
from bugloss.observe.sketch import sketch

_FAR = 8.0  # standard errors between the two means of a feature: many features are compared
_NEAR = 0.2  # of the distance as it is: after putting the features in order hardly any is left
_MOST_TRIED = 6  # features of which every order is tried; of more, two that changed places
_LEAST_MOVED = 0.3  # deviations: less does no harm, whatever the statistics say


def _both(order: Sequence[int], means: Sequence[float] = (0.2, 0.5, 0.8)) -> tuple[SampleFacts, ...]:
    deviations = (0.1,) * len(means)
    moved = tuple(means[place] for place in order)
    return (
        SampleFacts("train", 400, (len(means),), means=tuple(means), deviations=deviations),
        SampleFacts("validation", 200, (len(means),), means=moved, deviations=deviations),
    )


class FeaturesInOtherOrder(Detector):
    """Channels or columns of validation inputs are in another order than in training.

    ## What it finds
    Means of features that differ far beyond chance, and agree once features are put in another order.

    ## Why it hurts
    The model reads red for blue, or one column for another. Validation and later use are wrong while training is right.
    Mostly one part was read by another library, or columns were selected in another order.

    ## How it decides
    Each feature's mean in validation lies many standard errors from the one in training, and a change of places leaves
    a fifth of the distance or less: a warning.

    ## Known problems
    Features with the same mean and deviation cannot be distinguished.

    ## References
    OpenCV reads images as BGR; relation "training and validation have like statistics per feature".
    """

    name = "features-in-other-order"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(kept=_both((2, 1, 0))), sketch(kept=_both((1, 0, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7))))
    healthy = (
        sketch(kept=_both((0, 1, 2))),
        sketch(kept=_both((2, 1, 0), (0.5, 0.5, 0.5))),
        sketch(kept=(*_both((0, 1, 2))[:1], SampleFacts("validation", 200, (3,), means=(0.9, 1.2, 1.5)))),
        sketch(kept=_both((2, 1, 0))[:1]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        one, other = kept(recording, "train"), kept(recording, "validation")
        if one is None or other is None or one.shape != other.shape or not _comparable(one, other):
            return
        scales = [max(left, right) for left, right in zip(one.deviations, other.deviations, strict=True)]
        as_is = _distance(one.means, other.means, scales)
        error = math.sqrt(1 / one.samples + 1 / other.samples)
        if as_is < max(_FAR * error, _LEAST_MOVED):
            return
        best = min(_orders(len(one.means)), key=lambda order: _ordered(one, other, scales, order))
        if _ordered(one, other, scales, best) <= _NEAR * as_is:
            yield self.symptom(
                f"Features of validation inputs fit those of training in the order {list(best)[:12]}, not as they are.",
                site=other.site,
                training_means=list(one.means),
                validation_means=list(other.means),
            )


def _comparable(one: SampleFacts, other: SampleFacts) -> bool:
    numbers = (*one.means, *other.means, *one.deviations, *other.deviations)
    sizes = {len(one.means), len(other.means), len(one.deviations), len(other.deviations)}
    return (
        len(sizes) == 1 and len(one.means) > 1 and min(one.samples, other.samples) > 0 and all(map(is_number, numbers))
    )


def _orders(count: int) -> Iterator[tuple[int, ...]]:
    if count <= _MOST_TRIED:
        yield from permutations(range(count))
        return
    for left in range(count):
        for right in range(left + 1, count):
            order = list(range(count))
            order[left], order[right] = right, left
            yield tuple(order)


def _ordered(one: SampleFacts, other: SampleFacts, scales: Sequence[float], order: Sequence[int]) -> float:
    means = _distance(one.means, [other.means[place] for place in order], scales)
    spreads = _distance(one.deviations, [other.deviations[place] for place in order], scales)
    return max(means, spreads)


def _distance(one: Sequence[float], other: Sequence[float], scales: Sequence[float]) -> float:
    """The largest distance of two means, in deviations."""
    return max(
        (abs(left - right) / scale for left, right, scale in zip(one, other, scales, strict=True) if scale > 0),
        default=0.0,
    )
