"""batch-norm-tiny-batch."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import data_of
from bugloss.observe.layer_kinds import is_batch_norm, is_convolution, layers_in_order
from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import sketch

# A variance of 3 samples is off by a factor of two half of the time; 8 are the fewest in common use.
_TOO_SMALL, _SMALL = 4, 8
_DENSE = (RecordedLayer("fc1", "Linear", 680, 680), RecordedLayer("bn", "BatchNorm1d", 80, 80))
_CONV = (RecordedLayer("conv", "Conv2d", 448, 448), RecordedLayer("bn", "BatchNorm2d", 32, 32))


class BatchNormTinyBatch(Detector):
    """Batch norm estimates its statistics from too few samples.

    ## What it finds
    Batch-norm layers that train on batches of fewer than eight samples.

    ## Why it hurts
    Mean and variance of so few samples are mostly noise. With two samples a normalised feature is always plus or minus
    one: the network only sees which sample is larger.

    ## How it decides
    By the median size of the training batches. Fewer than four samples are a warning, fewer than eight advice.
    Convolutional layers also average over positions, so there it stays advice. Frozen norm layers do not count.

    ## Known problems
    Synchronised batch norm over several devices sees more samples than one process reports.

    ## References
    Group normalization (Wu and He, 2018) measures how the error grows with small batches.
    """

    name = "batch-norm-tiny-batch"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(architecture=_DENSE, steps={"batch": 2}, data={"batch_size": 2}),
        sketch(architecture=_CONV, steps={"batch": None}, data={"batch_size": 4}),
    )
    healthy = (
        sketch(architecture=_DENSE, steps={"batch": [64] * 60 + [1]}, data={"batch_size": 64}),
        sketch(architecture=_DENSE, steps={"batch": 2, "frozen_modes": ("bn",)}),
        sketch(architecture=_DENSE[:1], steps={"batch": 1}),
        sketch(architecture=(_DENSE[0], RecordedLayer("ln", "LayerNorm", 80, 80)), steps={"batch": 1}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        size = _batch_size(recording)
        if size is None or size >= _SMALL:
            return
        frozen = set(recording.steps[-1].frozen_modes) if recording.steps else set()
        layers = [layer for _, layer in layers_in_order(recording) if is_batch_norm(layer)]
        trained = [layer for layer in layers if layer.name not in frozen and "sync" not in layer.kind.lower()]
        if not trained:
            return
        maps = any(is_convolution(layer) for _, layer in layers_in_order(recording))
        yield self.symptom(
            f"Batch normalization {trained[0].name} computes its statistics from batches of {size:g} samples.",
            step=0,
            layer=trained[0].name,
            site=trained[0].site,
            severity=Severity.WARNING if size < _TOO_SMALL and not maps else Severity.ADVICE,
            batch_size=size,
            layers=len(trained),
        )


def _batch_size(recording: Recording) -> float | None:
    """The usual number of samples in a training batch; a shorter last batch does not count."""
    sizes = [step.batch for step in recording.steps if step.batch is not None]
    if sizes:
        return median(sizes)
    data = data_of(recording, "train")
    return data.batch_size if data is not None and recording.steps else None
