"""What the tools ask about a network as it was described: its hidden layers, its activations, its head."""

from __future__ import annotations

from bugloss.observe.recording import RecordedLayer, Recording

_ACTIVATIONS = {
    "relu": "relu", "relu6": "relu", "sigmoid": "sigmoid", "tanh": "tanh", "softmax": "softmax",
    "logsigmoid": "logsigmoid", "logsoftmax": "logsoftmax", "hardsigmoid": "sigmoid", "hardtanh": "tanh",
    "leakyrelu": "leaky-relu", "elu": "elu", "selu": "selu", "gelu": "gelu", "silu": "silu", "softplus": "softplus",
}  # fmt: skip
RANGES = {"sigmoid": (0.0, 1.0), "softmax": (0.0, 1.0), "tanh": (-1.0, 1.0), "relu": (0.0, float("inf"))}


def activation(layer: RecordedLayer) -> str:
    """The activation that a layer is or holds; empty where it has none."""
    own = _ACTIVATIONS.get(layer.kind.lower().replace("_", ""), "")
    if own or layer.kind == "Activation":
        return own or str(layer.settings.get("activation", ""))
    held = str(layer.settings.get("activation", "") or "")
    return "" if held == "linear" else held


def trained_layers(recording: Recording) -> tuple[RecordedLayer, ...]:
    """The layers that have weights to train, from the input to the output."""
    return tuple(layer for layer in recording.layers.values() if layer.trainable)


def hidden_activations(recording: Recording) -> dict[str, str]:
    """The activations before the last trained layer, by the layer that holds them."""
    names = list(recording.layers)
    trained = trained_layers(recording)
    end = names.index(trained[-1].name) if trained else len(names)
    found = {layer.name: activation(layer) for layer in list(recording.layers.values())[:end]}
    return {name: kind for name, kind in found.items() if kind}


def output_activation(recording: Recording) -> str:
    """The last operation of the last model, as the probe saw it or the last layer says; ``linear`` if it has none."""
    if recording.models and recording.models[-1].output_activation:
        return recording.models[-1].output_activation
    last = list(recording.layers.values())[-1:]
    return (activation(last[0]) if last else "") or "linear"


def output_layer(recording: Recording) -> str | None:
    """The layer where the output's activation is written."""
    layers = list(recording.layers.values())
    return layers[-1].name if layers else None
