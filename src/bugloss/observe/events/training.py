"""Events of the training itself: steps, sampled layers, epochs, evaluations, and what stands out between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bugloss.core.diagnosis import Site
from bugloss.observe.events.data import Numbers


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """One update of the weights (every one has a line; expensive values only on sampled steps)."""

    step: int
    loss: float | None = None
    learning_rate: float | None = None
    epoch: int | None = None
    batch: int | None = None  # samples
    optimizer: str = "optimizer-0"
    seconds: float | None = None  # since the previous step ended
    waited: float | None = None  # of these, waiting for data
    backwards: int | None = None  # backward passes since the previous step
    cleared: bool | None = None  # gradients were zero or None when the first of these began
    gradient_norm: float | None = None
    accuracy: float | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)
    frozen_modes: tuple[str, ...] = ()  # dropout and norm layers in evaluation mode while training
    partly: bool = False  # the models as wholes are in training mode then
    skipped: bool = False  # the gradient scaler left the weights alone
    loss_scale: float | None = None
    regularization: float | None = None  # share of the loss that penalties make up


@dataclass(frozen=True, slots=True)
class LayerNumbers:
    """A layer on a sampled step."""

    gradient_rms: float | None = None  # None: no gradient arrived
    gradient_maximum: float | None = None
    gradient_zero_share: float | None = None
    gradient_nonfinite: int = 0
    weight_rms: float | None = None
    weight_std: float | None = None
    weight_nonfinite: int = 0
    bias_mean: float | None = None
    bias_maximum: float | None = None
    update_ratio: float | None = None  # rms of the change over rms of the weights
    changed: bool | None = None  # any bit of the weights changed in this step
    output_mean: float | None = None
    output_std: float | None = None
    output_minimum: float | None = None
    output_maximum: float | None = None
    output_nonfinite: int = 0
    dead_share: float | None = None  # units that gave zero for every sample of the batch
    zero_share: float | None = None  # values equal to zero
    saturated_share: float | None = None  # of a sigmoid, tanh or softmax: values whose derivative is below 1e-3
    running_variance: tuple[float, float] | None = None  # least and largest, of a batch norm
    running_mean_gap: float | None = None  # largest distance of a running mean from the batch's, in batch deviations
    symmetric: bool | None = None  # all units have equal incoming weights
    active: str = ""  # a character a unit: 1 where it gave more than zero for a sample; 256 at most, if asked for


@dataclass(frozen=True, slots=True)
class Sample:
    """Every layer on one sampled step. Step 0 is before the first update."""

    step: int
    model: str = "model-0"
    layers: Mapping[str, LayerNumbers] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Epoch:
    """The end of an epoch, or of a pass over a loader."""

    epoch: int
    step: int
    loss: float | None = None
    accuracy: float | None = None
    validation_loss: float | None = None
    validation_accuracy: float | None = None
    learning_rate: float | None = None
    seconds: float | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A stretch of forward passes that no backward pass followed."""

    step: int
    batches: int = 0
    samples: int = 0
    loss: float | None = None
    accuracy: float | None = None
    training_modes: tuple[str, ...] = ()  # dropout and norm layers that were in training mode
    gradients_on: bool = False  # autograd recorded the passes
    output_spread: float | None = None
    predicted: Mapping[str, int] = field(default_factory=dict)  # how often each class was answered
    site: Site | None = None
    data: str = ""  # train | validation: whose samples these were, where that is known
    model: str = ""  # "model-0", where that is known
    met: float | None = None  # share of the samples that had been trained on before
    content: str = ""  # one word for all samples, whatever their order
    target_content: str = ""  # the same for their targets
    partial: bool = False  # the loss read only some of the outputs, as with the masks of a graph
    random: bool = False  # the code that makes the samples names a source of chance
    readings: Mapping[str, float] = field(default_factory=dict)  # loss and accuracy as programs often get them wrong


@dataclass(frozen=True, slots=True)
class NonFinite:
    """The first operation that made inf or NaN out of finite numbers."""

    step: int
    direction: str  # forward | backward | loss | weights | input
    layer: str = ""
    operation: str = ""
    site: Site | None = None
    inputs: tuple[Numbers, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryReading:
    """Megabytes that live tensors (or, failing that, the process) hold."""

    step: int
    megabytes: float
    hooks: int | None = None  # functions that models call on every pass
    graph: int | None = None  # operations that the backward pass of this step goes through


@dataclass(frozen=True, slots=True)
class Occasion:
    """A call that matters for the order of things, counted: scheduler steps, clips, in-place graph breaks, warnings."""

    # scheduler-step | clip | scaler-update | warning | early-stop | checkpoint | graph-detached | compile |
    # set-trainable
    kind: str
    step: int
    count: int = 1
    site: Site | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
