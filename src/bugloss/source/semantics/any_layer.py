"""Layers that have no entry of their own: new rows of ``core.network.layer``, and layers that no table knows."""

from __future__ import annotations

from bugloss.source.follow.call import Call, Semantics
from bugloss.source.semantics import keras_layers, torch_layers
from bugloss.source.values.values import UNKNOWN, Layer, Model, Value


def apply_any_layer(call: Call) -> Value:
    """What a layer makes of its input, by the rules of its framework."""
    if isinstance(call.receiver, Layer) and call.receiver.framework == "torch":
        return torch_layers.apply_layer(call)
    return keras_layers.apply_layer(call) if not isinstance(call.receiver, Model) else UNKNOWN


SEMANTICS: Semantics = {"apply *": apply_any_layer}
