"""Small networks by the name that people give them, in PyTorch and in Keras."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_NAMES = (
    ("logistic", r"logistic regression|softmax regression|perceptron(?! with)"),
    ("linear", r"linear regression|linear model"),
    ("autoencoder", r"auto-?encoder|\bvae\b"),
    ("lstm", r"\blstm\b|\bgru\b|\brnn\b|recurrent|seq2seq|text classif|language model"),
    ("unet", r"\bu-?net\b|segmentation|fully convolutional"),
    ("transformer", r"transformer|self-attention"),
    ("cnn", r"\bcnn\b|convolution|conv2d|\bvgg|resnet|lenet|alexnet|image classif"),
    ("mlp", r"\bmlp\b|perceptron|feed-?forward|dense|fully.connected|neural network"),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A network to be built: its kind, a sample's shape with the channels last, and how many numbers come out.

    Where nobody tells the shape the first layer takes whatever comes.
    """

    kind: str
    shape: tuple[int, ...]
    outputs: int
    told: bool = True


def named(text: str) -> str | None:
    """The kind of network that a text names first."""
    found = [(match.start(), kind) for kind, pattern in _NAMES if (match := re.search(pattern, text, re.IGNORECASE))]
    return min(found)[1] if found else None


def outputs_for(program: str, words: str, classes: int | None) -> int | None:
    """How many numbers come out: one for a yes or no and for a value, else one for each class."""
    if re.search(r"BCE\w*Loss|binary_cross_?entropy|MSELoss|L1Loss|mse_loss|\"mse\"|'mse'|mean_squared_error", program):
        return 1
    if re.search(r"\b(?:single|one) (?:output|unit|neuron|value)\b|yes/no|binary classif", words, re.IGNORECASE):
        return 1
    return classes


def plan_for(text: str, shape: tuple[int, ...] | None, outputs: int | None) -> Plan:
    """What to build where little is told: the named kind, else one that fits the shape."""
    kind = named(text)
    if kind is None:
        kind = "mlp" if shape is None or len(shape) == 1 else "lstm" if len(shape) == 2 else "cnn"
    usual = {"cnn": (28, 28, 1), "unet": (16, 16, 1), "lstm": (16,), "transformer": (16,), "autoencoder": (64,)}
    return Plan(kind, shape or usual.get(kind, (8,)), outputs or (1 if kind == "linear" else 10), shape is not None)


def torch_class(plan: Plan, name: str) -> str:
    """A class of PyTorch that takes any arguments and has the planned network in it."""
    layers = ",\n".join(f"            {layer}" for layer in _torch_layers(plan))
    return (
        f"class {name}(torch.nn.Module):\n"
        f"    def __init__(self, *arguments, **options):\n"
        f"        super().__init__()\n"
        f"        self.layers = torch.nn.Sequential(\n{layers},\n        )\n\n"
        f"    def forward(self, x, *more):\n"
        f"        return self.layers(x)"
    )


def torch_layers(plan: Plan) -> str:
    """The planned network as one expression of PyTorch."""
    return f"torch.nn.Sequential({', '.join(_torch_layers(plan))})"


def _torch_layers(plan: Plan) -> list[str]:
    width = math.prod(plan.shape)
    if plan.kind in {"logistic", "linear"}:
        return ["torch.nn.Flatten()", f"torch.nn.Linear({width}, {plan.outputs})"]
    if plan.kind == "autoencoder":
        return [f"torch.nn.Linear({plan.shape[-1]}, 16)", "torch.nn.ReLU()", f"torch.nn.Linear(16, {plan.shape[-1]})"]
    if plan.kind in {"lstm", "transformer"} and len(plan.shape) == 1:
        return [
            "torch.nn.Embedding(1000, 16)",
            "torch.nn.Flatten()",
            f"torch.nn.Linear({plan.shape[0]} * 16, {plan.outputs})",
        ]
    if plan.kind == "unet" and len(plan.shape) == 3:
        channels = plan.shape[2]
        return [
            f"torch.nn.Conv2d({channels}, 8, 3, padding=1)",
            "torch.nn.ReLU()",
            "torch.nn.Conv2d(8, 1, 3, padding=1)",
        ]
    if plan.kind == "cnn" and len(plan.shape) == 3:
        convolution = f"torch.nn.Conv2d({plan.shape[2]}, 8, 3, padding=1)"
        pooled = ["torch.nn.ReLU()", "torch.nn.AdaptiveAvgPool2d(4)", "torch.nn.Flatten()"]
        return [convolution, *pooled, f"torch.nn.Linear(128, {plan.outputs})"]
    first = f"torch.nn.Linear({width}, 32)" if plan.told else "torch.nn.LazyLinear(32)"
    return ["torch.nn.Flatten()", first, "torch.nn.ReLU()", f"torch.nn.Linear(32, {plan.outputs})"]


def keras_layers(plan: Plan, prefix: str) -> list[str]:
    """The planned network as layers of Keras; ``prefix`` is ``keras`` or ``tf.keras``."""
    layers = f"{prefix}.layers"
    answer = f'{layers}.Dense({plan.outputs}, activation="{"sigmoid" if plan.outputs == 1 else "softmax"}")'
    if not plan.told and plan.kind in {"mlp", "logistic"}:
        return [
            f"{layers}.Flatten()",
            f'{layers}.Dense(32, activation="relu")',
            answer,
        ]
    shape = f"({', '.join(map(str, plan.shape))}{',' if len(plan.shape) == 1 else ''})"
    if plan.kind == "linear":
        return [f"{layers}.Dense({plan.outputs}, input_shape={shape})"]
    if plan.kind == "logistic":
        return [f"{layers}.Flatten(input_shape={shape})", answer]
    if plan.kind == "autoencoder":
        return [f'{layers}.Dense(16, activation="relu", input_shape={shape})', f"{layers}.Dense({plan.shape[-1]})"]
    if plan.kind in {"lstm", "transformer"} and len(plan.shape) == 1:
        return [
            f"{layers}.Embedding(1000, 16)",
            f"{layers}.LSTM(16)",
            answer,
        ]
    if plan.kind == "lstm":
        return [f"{layers}.LSTM(16, input_shape={shape})", answer]
    if plan.kind in {"cnn", "unet"} and len(plan.shape) == 3:
        return [f'{layers}.Conv2D(8, 3, activation="relu", input_shape={shape})', f"{layers}.Flatten()", answer]
    return [f"{layers}.Flatten(input_shape={shape})", f'{layers}.Dense(32, activation="relu")', answer]


def keras_functional(layers: list[str], prefix: str, shape: tuple[int, ...]) -> list[str]:
    """The lines of a functional network of Keras with these layers."""
    size = f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
    lines = [f"inputs = {prefix}.Input(shape={size})", "outputs = inputs"]
    plain = [re.sub(r",? ?input_shape=\([^)]*\)", "", layer) for layer in layers]
    return [*lines, *(f"outputs = {layer}(outputs)" for layer in plain), f"network = {prefix}.Model(inputs, outputs)"]
