"""Small networks by the name that people give them, in PyTorch and in Keras."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from bugloss.reproduce.templates import render
from bugloss.reproduce.words import first_of

_USUAL = {"cnn": (28, 28, 1), "unet": (16, 16, 1), "lstm": (16,), "transformer": (16,), "autoencoder": (64,)}


@dataclass(frozen=True, slots=True)
class NetworkPlan:
    """A network to be built: its kind, a sample's shape with the channels last, and how many numbers come out.

    Where the shape is not stated the first layer takes whatever comes.
    """

    kind: str
    shape: tuple[int, ...]
    outputs: int
    is_stated: bool = True


@dataclass(frozen=True, slots=True)
class LayerCall:
    """A layer of Keras; ``first`` says that it takes the network's input, whose shape it may have to name."""

    name: str
    arguments: tuple[str, ...] = ()
    first: bool = False

    def code(self, prefix: str, shape: tuple[int, ...] | None = None) -> str:
        shown = (f"input_shape={shape!r}",) if self.first and shape is not None else ()
        return f"{prefix}.layers.{self.name}({', '.join((*self.arguments, *shown))})"


def outputs_for(program: str, words: str, classes: int | None) -> int | None:
    """How many numbers come out: one for a yes or no and for a value, else one for each class."""
    if re.search(r"BCE\w*Loss|binary_cross_?entropy|MSELoss|L1Loss|mse_loss|\"mse\"|'mse'|mean_squared_error", program):
        return 1
    return 1 if first_of("one-output", words) else classes


def plan_for(text: str, shape: tuple[int, ...] | None, outputs: int | None) -> NetworkPlan:
    """What to build where little is stated: the kind that is named first, else one that fits the shape."""
    kind = first_of("architectures", text)
    if not kind:
        kind = "mlp" if shape is None or len(shape) == 1 else "lstm" if len(shape) == 2 else "cnn"
    outputs = outputs or (1 if kind == "linear" else 10)
    return NetworkPlan(kind, shape or _USUAL.get(kind, (8,)), outputs, shape is not None)


def torch_class(plan: NetworkPlan, name: str) -> str:
    """A class of PyTorch that takes any arguments and has the planned network in it."""
    return render("torch_network", name=name, layers=",\n".join(_torch_layers(plan)) + ",")


def torch_layers(plan: NetworkPlan) -> str:
    """The planned network as one expression of PyTorch."""
    return f"torch.nn.Sequential({', '.join(_torch_layers(plan))})"


def _torch_layers(plan: NetworkPlan) -> list[str]:
    return [f"torch.nn.{layer}" for layer in _torch_names(plan)]


def _torch_names(plan: NetworkPlan) -> list[str]:
    width, axes = math.prod(plan.shape), len(plan.shape)
    if plan.kind in {"logistic", "linear"}:
        return ["Flatten()", f"Linear({width}, {plan.outputs})"]
    if plan.kind == "autoencoder":
        return [f"Linear({plan.shape[-1]}, 16)", "ReLU()", f"Linear(16, {plan.shape[-1]})"]
    if plan.kind in {"lstm", "transformer"} and axes == 1:
        return ["Embedding(1000, 16)", "Flatten()", f"Linear({plan.shape[0]} * 16, {plan.outputs})"]
    if plan.kind == "unet" and axes == 3:
        return [f"Conv2d({plan.shape[2]}, 8, 3, padding=1)", "ReLU()", "Conv2d(8, 1, 3, padding=1)"]
    if plan.kind == "cnn" and axes == 3:
        pooled = ["ReLU()", "AdaptiveAvgPool2d(4)", "Flatten()"]
        return [f"Conv2d({plan.shape[2]}, 8, 3, padding=1)", *pooled, f"Linear(128, {plan.outputs})"]
    first = f"Linear({width}, 32)" if plan.is_stated else "LazyLinear(32)"
    return ["Flatten()", first, "ReLU()", f"Linear(32, {plan.outputs})"]


def keras_network(plan: NetworkPlan, prefix: str, *, functional: bool) -> list[str]:
    """The lines that build a planned network in Keras and call it ``network``; ``prefix`` is keras or tf.keras."""
    layers = _keras_layers(plan)
    if functional:
        called = (f"outputs = {layer.code(prefix)}(outputs)" for layer in layers)
        start = [f"inputs = {prefix}.Input(shape={plan.shape!r})", "outputs = inputs"]
        return [*start, *called, f"network = {prefix}.Model(inputs, outputs)"]
    shown = (f"    {layer.code(prefix, plan.shape)}," for layer in layers)
    return [f"network = {prefix}.Sequential([", *shown, "])"]


def _keras_layers(plan: NetworkPlan) -> list[LayerCall]:
    relu, axes = 'activation="relu"', len(plan.shape)
    output = LayerCall("Dense", (str(plan.outputs), f'activation="{"sigmoid" if plan.outputs == 1 else "softmax"}"'))
    flat = LayerCall("Flatten", first=plan.is_stated or plan.kind not in {"mlp", "logistic"})
    if plan.kind == "logistic" and plan.is_stated:
        return [flat, output]
    if plan.kind == "linear":
        return [LayerCall("Dense", (str(plan.outputs),), first=True)]
    if plan.kind == "autoencoder":
        return [LayerCall("Dense", ("16", relu), first=True), LayerCall("Dense", (str(plan.shape[-1]),))]
    if plan.kind in {"lstm", "transformer"} and axes == 1:
        return [LayerCall("Embedding", ("1000", "16")), LayerCall("LSTM", ("16",)), output]
    if plan.kind == "lstm":
        return [LayerCall("LSTM", ("16",), first=True), output]
    if plan.kind in {"cnn", "unet"} and axes == 3:
        return [LayerCall("Conv2D", ("8", "3", relu), first=True), LayerCall("Flatten"), output]
    return [flat, LayerCall("Dense", ("32", relu)), output]
