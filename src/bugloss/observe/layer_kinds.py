"""What a layer is and what its settings say, whichever framework named them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from bugloss.core.network.layer import LayerFamily, family_of
from bugloss.observe.recording import RecordedLayer, RecordedModel, Recording

_UNITS = ("units", "out_features", "filters", "out_channels")
_RATES = ("rate", "p")


def number(settings: Mapping[str, Any], *names: str) -> float | None:
    """The first of these settings that is a finite number; a tuple such as Adam's betas is none."""
    for name in names:
        value = settings.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    return None


def is_dropout(layer: RecordedLayer) -> bool:
    """Dropout of any shape, by whichever name."""
    return family_of(layer.kind) is LayerFamily.DROPOUT


def is_batch_norm(layer: RecordedLayer) -> bool:
    """A layer that normalises with statistics of the batch while training and with running ones afterwards."""
    return "batchnorm" in layer.kind.lower()


def is_norm(layer: RecordedLayer) -> bool:
    """A layer that brings what passes through it to a common scale."""
    return family_of(layer.kind) is LayerFamily.NORMALIZATION or layer.kind == "Rescaling"


def is_recurrent(layer: RecordedLayer) -> bool:
    """An LSTM, a GRU or a plain recurrent layer."""
    return family_of(layer.kind) is LayerFamily.RECURRENT


def is_convolution(layer: RecordedLayer) -> bool:
    """A convolution with any number of dimensions."""
    return family_of(layer.kind) is LayerFamily.CONVOLUTION


def is_dense(layer: RecordedLayer) -> bool:
    """A fully connected layer."""
    return family_of(layer.kind) is LayerFamily.DENSE


def dropout_rate(layer: RecordedLayer) -> float | None:
    """The share that a dropout layer drops."""
    return number(layer.settings, *_RATES) if is_dropout(layer) else None


def units(layer: RecordedLayer) -> int | None:
    """How many units or filters a layer has."""
    count = number(layer.settings, *_UNITS)
    return int(count) if count is not None and count >= 1 else None


def fan_in(layer: RecordedLayer) -> int | None:
    """How many inputs a unit of a dense layer or convolution sums up, from the count of its parameters.

    Whether there is a bias does not matter at this accuracy: one input more or less among many.
    """
    width = units(layer)
    if width is None or not (is_dense(layer) or is_convolution(layer)):
        return None
    inputs = layer.parameters / width
    biased = layer.settings.get("bias", layer.settings.get("use_bias", True)) is not False
    return max(round(inputs) - int(biased), 1) if inputs >= 1 else None


def fan_out(layer: RecordedLayer) -> int | None:
    """How many sums an input of a dense layer or convolution enters."""
    width, size = units(layer), layer.settings.get("kernel_size")
    if width is None:
        return None
    sides = size if isinstance(size, list | tuple) else [size]
    return width * math.prod(side for side in sides if isinstance(side, int) and side > 0)


def latest_models(recording: Recording) -> tuple[RecordedModel, ...]:
    """Every model once, as it was last described."""
    return tuple({model.model: model for model in recording.models}.values())


def layers_in_order(recording: Recording) -> Iterator[tuple[RecordedModel, RecordedLayer]]:
    """The layers of every model, in the model's own order; names may repeat between models."""
    for model in latest_models(recording):
        for layer in model.layers:
            yield model, layer


def has_settled_order(model: RecordedModel, framework: str) -> bool:
    """Whether the order of the layers is the order of computation: the PyTorch probe sorts them by their first use."""
    return framework == "torch" or model.kind in ("Sequential", "Functional", "Model")
