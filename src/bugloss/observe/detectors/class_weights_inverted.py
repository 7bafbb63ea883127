"""class-weights-inverted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import counts, data_of
from bugloss.observe.recording import Recording, Targets
from bugloss.observe.sketch import sketch

_UNEVEN = 1.5  # times as frequent: classes that are closer need no weights
_HEAVIER = 1.3  # times the weight: less is no weighting worth the name
_RARE = {"targets": Targets("binary", 2, {"0": 900, "1": 100})}


class ClassWeightsInverted(Detector):
    """Frequent classes weigh more in the loss than rare ones.

    ## What it finds
    Class weights that grow with how often a class occurs.

    ## Why it hurts
    Weights are there to make rare classes count. Turned round, they make the frequent ones count still more, and the
    model answers nothing else.

    ## How it decides
    The commonest class is compared with the rarest one: a warning where it occurs half as often again or more, and
    weighs at least 1.3 times as much.

    ## Known problems
    Costs of errors may differ for reasons that have nothing to do with frequency.

    ## References
    ``sklearn.utils.class_weight.compute_class_weight``; ``weight`` of ``CrossEntropyLoss``; ``class_weight`` of
    ``fit``.
    """

    name = "class-weights-inverted"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(data={**_RARE, "class_weights": {"0": 0.9, "1": 0.1}}),
        sketch(data=_RARE, loss={"weighted": True, "class_weights": (1.8, 0.2)}),
    )
    healthy = (
        sketch(data={**_RARE, "class_weights": {"0": 0.1, "1": 0.9}}),
        sketch(data=_RARE, loss={"weighted": True, "class_weights": (0.2, 1.8)}),
        sketch(data={**_RARE, "class_weights": {"0": 1.0, "1": 1.0}}),
        sketch(data={"class_weights": {"0": 2.0, "1": 1.0}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = {name: count for name, count in counts(recording, "train").items() if count > 0}
        weights, site = _weights(recording)
        shared = [name for name in known if name in weights]
        if len(shared) < 2:
            return
        common, rare = max(shared, key=lambda name: known[name]), min(shared, key=lambda name: known[name])
        if known[common] < _UNEVEN * known[rare] or not weights[common] >= _HEAVIER * weights[rare] > 0:
            return
        yield self.symptom(
            f"Class {common} occurs {known[common]} times and weighs {weights[common]:.3g}, class {rare} occurs "
            f"{known[rare]} times and weighs {weights[rare]:.3g}.",
            site=site,
            counts={common: known[common], rare: known[rare]},
            weights={common: weights[common], rare: weights[rare]},
        )


def _weights(recording: Recording) -> tuple[Mapping[str, float], Site | None]:
    """What each class counts: given to fit, or to the loss function."""
    data = data_of(recording, "train")
    if data is not None and data.class_weights:
        return data.class_weights, data.site
    for loss in recording.losses:
        if loss.class_weights:
            return {str(place): weight for place, weight in enumerate(loss.class_weights)}, loss.site
    return {}, None
