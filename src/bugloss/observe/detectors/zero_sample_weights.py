"""zero-sample-weights."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import counts, data_of
from bugloss.observe.recording import Numbers, Recording, Targets
from bugloss.observe.sketch import sketch

Problem = tuple[Severity, str]

_NEARLY_ALL = 0.9  # masks of short sequences hide up to nine in ten
_EVEN = Targets("binary", 2, {"0": 320, "1": 320})


def _weights(low: float, high: float, mean: float, zero_share: float = 0.0) -> Numbers:
    return Numbers((64,), "float32", low, high, mean, 0.1, zero_share)


class ZeroSampleWeights(Detector):
    """Sample or class weights remove samples from the loss.

    ## What it finds
    Weights or loss masks that are all zero, negative, or zero for nearly all samples, and class weights of zero for
    classes that occur.

    ## Why it hurts
    Samples without weight are not learned. With a total of zero the loss is zero or NaN; a negative weight trains the
    opposite.

    ## How it decides
    By the weights of the training data and of the inspected batches. All zero is an error, also in a single batch where
    the mean is taken over the weights; classes without weight are a warning. Nine zeros in ten are advice, since masks
    of short sequences look like that, and so are negative weights, which policy gradients use.

    ## Known problems
    Weights that a program multiplies with the loss by hand are not seen.

    ## References
    ``sample_weight`` and ``class_weight`` of ``keras.Model.fit``.
    """

    name = "zero-sample-weights"
    severity = Severity.ERROR
    category = Category.TRAINING
    faulty = (
        sketch(batch={"weights": _weights(0.0, 0.0, 0.0, 1.0)}),
        sketch(data={"class_weights": {"0": 1.0, "1": 0.0}, "targets": _EVEN}),
        sketch(data={"weights": _weights(-0.5, 1.0, 0.4)}),
    )
    healthy = (
        sketch(),
        sketch(batch={"weights": _weights(0.2, 5.0, 1.0)}),
        sketch(batch={"weights": _weights(0.0, 1.0, 0.6, 0.4)}),
        sketch(data={"class_weights": {"0": 1.0, "1": 1.0, "2": 0.0}, "targets": _EVEN}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        data = data_of(recording, "train")
        site = data.site if data is not None else None
        if data is not None and data.weights is not None:
            yield from self._judge(data.weights, "the training data", 0, site)
        elif (batch := next((item for item in recording.batches if _is_odd(item.weights)), None)) is not None:
            yield from self._judge(batch.weights, f"the batch of step {batch.step}", batch.step, batch.site or site)
        if data is not None and data.class_weights:
            yield from self._judge_classes(data.class_weights, counts(recording, "train"), site)

    def _judge(self, weights: Numbers | None, where: str, step: int, site: Site | None) -> Iterator[Symptom]:
        problem = _find_problem(weights) if weights is not None else None
        if problem is not None and weights is not None:
            severity, text = problem
            yield self.symptom(
                f"The sample weights of {where} {text}.",
                step=step,
                site=site,
                severity=severity,
                least=weights.minimum,
                largest=weights.maximum,
                zero_share=weights.zero_share,
            )

    def _judge_classes(
        self, weights: Mapping[str, float], known: Mapping[str, int], site: Site | None
    ) -> Iterator[Symptom]:
        lost = [name for name, weight in weights.items() if known.get(name) and not weight > 0]
        if lost:
            samples = sum(known[name] for name in lost)
            yield self.symptom(
                f"The class weights lack {', '.join(lost)}, which {samples} samples have as their label.",
                step=0,
                site=site,
                severity=Severity.WARNING,
                classes=lost,
            )


def _is_odd(weights: Numbers | None) -> bool:
    return weights is not None and _find_problem(weights) is not None


def _find_problem(weights: Numbers) -> Problem | None:
    if math.isfinite(weights.maximum) and weights.maximum <= 0:
        return Severity.ERROR, "are all zero" if weights.minimum == 0 else "are never above zero"
    if weights.minimum < 0:
        return Severity.ADVICE, (
            f"include negative values ({weights.minimum:.3g}), which train the opposite of the label"
        )
    if weights.zero_share >= _NEARLY_ALL:
        return Severity.ADVICE, f"are zero for {weights.zero_share:.0%} of the samples"
    return None
