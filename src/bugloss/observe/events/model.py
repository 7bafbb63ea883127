"""Events about what is trained: layers, models, optimizers and loss functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bugloss.core.diagnosis import Site


@dataclass(frozen=True, slots=True)
class RecordedLayer:
    """One leaf of a model: a module or layer without children, or with parameters of its own."""

    name: str  # path within the model, e.g. "encoder.fc1" or "dense_2"
    kind: str  # class, e.g. Linear, Conv2d, Dense, Dropout, BatchNorm1d
    parameters: int = 0
    trainable: int = 0  # how many of the parameters may change
    settings: Mapping[str, Any] = field(
        default_factory=dict
    )  # plain constructor facts: units, activation, p/rate, eps …
    site: Site | None = None  # the user's line that made it
    used: bool = True  # whether any forward pass went through it
    in_forward: bool = False  # made anew during a forward pass


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """A model at the time it was first used (and again when its layers, flags or parameters changed)."""

    model: str  # "model-0", in order of appearance
    kind: str
    layers: tuple[RecordedLayer, ...] = ()
    site: Site | None = None
    step: int = 0
    parameters: int = 0
    trainable: int = 0
    unregistered: tuple[str, ...] = ()  # attribute paths of modules or parameters that the model does not own up to
    output_activation: str = ""  # softmax, sigmoid, relu, tanh, linear … of the last operation, where it is known


@dataclass(frozen=True, slots=True)
class RecordedOptimizer:
    """An optimizer when it is first seen at work."""

    optimizer: str  # "optimizer-0"
    kind: str  # SGD, Adam …
    settings: Mapping[str, Any] = field(
        default_factory=dict
    )  # learning_rate, momentum, weight_decay, epsilon, clipnorm …
    site: Site | None = None
    parameters: int = 0  # tensors it updates
    missing: tuple[str, ...] = ()  # trainable parameters of the models in use that no optimizer updates
    foreign: int = 0  # tensors it updates that no model in use owns
    groups: int = 1
    scheduler: str = ""  # class of the schedule, where there is one


@dataclass(frozen=True, slots=True)
class LossFunction:
    """A loss function when it is first called."""

    kind: str  # canonical name: cross-entropy, nll, binary-cross-entropy, mse, mae, hinge, huber, custom …
    name: str  # as the framework calls it: CrossEntropyLoss, categorical_crossentropy …
    from_logits: bool | None = None
    reduction: str = "mean"
    site: Site | None = None
    output_shape: tuple[int, ...] = ()
    target_shape: tuple[int, ...] = ()
    target_dtype: str = ""
    broadcast: bool = False  # output and target had different shapes that were stretched to fit
    swapped: bool = False  # the first argument carried no gradient, the second did
    weighted: bool = False  # classes or positive answers weigh differently
    class_weights: tuple[float, ...] = ()  # by class index, at most 64
