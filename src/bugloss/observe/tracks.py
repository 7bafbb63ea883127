"""Layers through time: each layer of each model with its numbers on the sampled steps, in the order of the model."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from bugloss.observe.recording import LayerNumbers, RecordedLayer, Recording

_NORMS = ("norm",)
_PASSING = ("dropout", "flatten", "pool", "reshape", "identity", "input", "padding", "embedding", "permute", "concat")
_MATRICES = ("linear", "dense", "conv", "bilinear", "lstm", "gru", "rnn", "attention")


@dataclass(frozen=True, slots=True)
class Track:
    """One layer, and what was measured of it on each sampled step."""

    model: str
    layer: RecordedLayer
    points: tuple[tuple[int, LayerNumbers], ...]

    @property
    def name(self) -> str:
        return self.layer.name

    @property
    def trainable(self) -> bool:
        """Whether it has weights that may change, and was used at all."""
        return self.layer.trainable > 0 and self.layer.used

    @property
    def is_norm(self) -> bool:
        return _named(self.layer, _NORMS)

    @property
    def is_matrix(self) -> bool:
        """Whether its weights mix inputs into units: linear, convolutional, recurrent, attention."""
        return _named(self.layer, _MATRICES) and not self.is_norm

    @property
    def passes_on(self) -> bool:
        """Whether its output says more about its input than about itself."""
        return _named(self.layer, _PASSING)

    def values(self, field: str, *, since: int = 0) -> list[tuple[int, float]]:
        """The finite values of one number, with their steps."""
        known = ((step, getattr(numbers, field)) for step, numbers in self.points if step >= since)
        return [(step, value) for step, value in known if value is not None and math.isfinite(value)]

    def level(self, field: str, *, since: int = 0) -> float | None:
        """The median of one number over the sampled steps."""
        values = [value for _, value in self.values(field, since=since)]
        return median(values) if values else None


def tracks(recording: Recording) -> list[Track]:
    """Every layer of every model as it was last described, in order."""
    models = {model.model: model for model in recording.models}
    by_model: dict[str, list[tuple[int, dict[str, LayerNumbers]]]] = {}
    for sample in recording.samples:
        by_model.setdefault(sample.model, []).append((sample.step, dict(sample.layers)))
    found = []
    for name, model in models.items():
        sampled = by_model.get(name, [])
        for layer in model.layers:
            points = tuple((step, layers[layer.name]) for step, layers in sampled if layer.name in layers)
            found.append(Track(name, layer, points))
    return found


def trainable(recording: Recording) -> list[Track]:
    """The layers that learn."""
    return [track for track in tracks(recording) if track.trainable]


def last_with_weights(found: Iterable[Track]) -> dict[str, str]:
    """The last layer with weights of each model: its output layer, where layers are made in the order of their use."""
    return {track.model: track.name for track in found if track.layer.parameters > 0}


def shown(names: Iterable[str], most: int = 5) -> list[str]:
    """The first few names, for evidence."""
    return list(names)[:most]


def _named(layer: RecordedLayer, words: Iterable[str]) -> bool:
    kind = layer.kind.lower()
    return any(word in kind for word in words)
