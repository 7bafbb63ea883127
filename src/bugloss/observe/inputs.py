"""What enters a model: its inputs in numbers, and whether the model brings them to scale itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Site
from bugloss.observe.labels import batches_of, data_of
from bugloss.observe.layer_kinds import is_norm, latest_models
from bugloss.observe.recording import InputFeatures, Numbers, Recording

READ_IN_FULL = 4096  # values: the PyTorch probe thins larger tensors
_PASSIVE = ("input", "flatten", "identity", "reshape", "permute")


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a batch, or of all samples."""

    place: int  # among the inputs of the model
    numbers: Numbers
    features: InputFeatures | None
    samples: int
    step: int
    site: Site | None
    whole: bool = False  # of all samples, not of a batch

    @property
    def largest(self) -> float:
        """The largest absolute value."""
        return max(abs(self.numbers.minimum), abs(self.numbers.maximum))

    @property
    def is_real(self) -> bool:
        """Finite floating-point features of several samples; token numbers and masks of whole numbers are none."""
        numbers = self.numbers
        known = (numbers.minimum, numbers.maximum, numbers.mean, numbers.std)
        return (
            "float" in numbers.dtype
            and len(numbers.shape) >= 2
            and not numbers.nonfinite
            and all(math.isfinite(value) for value in known)
        )


def inputs_of(recording: Recording, phase: str) -> tuple[Input, ...]:
    """Every input that was looked at: the data as a whole first, then batch by batch."""
    return (*_whole(recording, phase), *_of_batches(recording, phase))


def first_inputs(recording: Recording) -> tuple[Input, ...]:
    """The real-valued training inputs, each as it was first seen."""
    first: dict[int, Input] = {}
    for item in inputs_of(recording, "train"):
        if item.is_real:
            first.setdefault(item.place, item)
    return tuple(first.values())


def brings_to_scale(recording: Recording) -> bool:
    """Whether a model begins with a layer that normalises or rescales its input."""
    for model in latest_models(recording):
        kinds = [layer for layer in model.layers if not any(word in layer.kind.lower() for word in _PASSIVE)]
        if kinds and is_norm(kinds[0]):
            return True
    return False


def _whole(recording: Recording, phase: str) -> Iterator[Input]:
    data = data_of(recording, phase)
    if data is not None and data.input is not None:
        yield Input(0, data.input, data.features, data.samples or 0, 0, data.site, whole=True)


def _of_batches(recording: Recording, phase: str) -> Iterator[Input]:
    data = data_of(recording, phase)
    for batch in batches_of(recording, phase):
        site = batch.site or (data.site if data is not None else None)
        for place, numbers in enumerate(batch.inputs):
            features = batch.features[place] if place < len(batch.features) else None
            yield Input(place, numbers, features, batch.size, batch.step, site)
