"""A recording: what a probe wrote down while a program trained, as typed values.

A probe writes one JSON object a line. Its key ``event`` names the kind; the other keys are the fields of the class that
``EVENTS`` gives for that kind. Keys that a class does not know are dropped (a newer probe may write more), a line that
cannot be read is counted and skipped: the program under observation may have torn it.

Numbers that are no numbers are written as the strings ``"nan"``, ``"inf"`` and ``"-inf"`` and read back as floats.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from bugloss.core.codec import decode
from bugloss.core.diagnosis import Site
from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.observe.bounds import Meter, TooMuch
from bugloss.observe.crash_event import Crash as Crash
from bugloss.observe.crash_event import Operand as Operand


@dataclass(frozen=True, slots=True)
class Started:
    """The first event of a process that uses a framework."""

    framework: str  # torch | keras
    version: str  # of the framework
    backend: str = ""  # of Keras: tensorflow | torch | jax | theano
    backend_version: str = ""
    python: str = ""
    device: str = "cpu"
    accelerator: bool = False  # whether the machine has one


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


@dataclass(frozen=True, slots=True)
class Numbers:
    """A tensor in a few numbers."""

    shape: tuple[int, ...] = ()
    dtype: str = ""
    minimum: float = 0.0
    maximum: float = 0.0
    mean: float = 0.0
    std: float = 0.0
    zero_share: float = 0.0
    nonfinite: int = 0


@dataclass(frozen=True, slots=True)
class InputFeatures:
    """What is known of an input besides its numbers; a feature is a place on the last axis, at most 4096 are read."""

    constant_share: float = 0.0  # of the features: the same value in the whole batch
    scale_spread: float = 1.0  # largest over smallest non-zero standard deviation of a feature
    duplicate_share: float = 0.0  # of the samples: an exact copy of another one in the batch
    hashes: tuple[str, ...] = ()  # of single samples, at most 64, for overlap between phases
    integer_grid: bool = False  # values are whole numbers
    padding_share: float = 0.0  # of token ids: equal to the padding value


@dataclass(frozen=True, slots=True)
class Targets:
    """What is known of the labels of a batch."""

    encoding: str = ""  # index | one-hot | binary | multi-label | real
    classes: int = 0  # width of a one-hot target, or largest index + 1
    counts: Mapping[str, int] = field(default_factory=dict)  # how often each class occurs, at most 64
    run_length: float = 1.0  # mean length of runs of equal labels in batch order
    conflicting_share: float = 0.0  # samples whose exact copy has another label


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that was looked at closely."""

    step: int
    phase: str  # train | validation
    size: int = 0
    inputs: tuple[Numbers, ...] = ()
    features: tuple[InputFeatures, ...] = ()
    target: Numbers | None = None
    targets: Targets | None = None
    weights: Numbers | None = None  # sample weights or loss mask
    outputs: Numbers | None = None
    output_spread: float | None = None  # mean over output units of the standard deviation across the batch
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class Data:
    """A data source: the arrays given to fit, or a loader, seen as a whole."""

    phase: str  # train | validation
    samples: int | None = None
    batch_size: int | None = None
    shuffled: bool | None = None
    workers: int | None = None
    drop_last: bool | None = None
    site: Site | None = None
    features: InputFeatures | None = None
    input: Numbers | None = None
    target: Numbers | None = None
    targets: Targets | None = None  # of all samples (at most 100,000 read)
    class_weights: Mapping[str, float] | None = None
    weights: Numbers | None = None
    overlap: float | None = None  # share of the validation samples that are in the training data too
    sorted_labels: bool | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One update of the weights (every one has a line; the dear numbers only on sampled steps)."""

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
class Memory:
    """Megabytes that live tensors (or, failing that, the process) hold."""

    step: int
    megabytes: float


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


@dataclass(frozen=True, slots=True)
class PropertyAnswer:
    """The answer of a property probe, tried on a copy."""

    name: str
    holds: bool | None  # None: could not be tried
    facts: Mapping[str, Any] = field(default_factory=dict)
    step: int = 0


@dataclass(frozen=True, slots=True)
class Cost:
    """What observing cost."""

    seconds: float
    observed_seconds: float
    interval: int = 1
    samples: int = 0
    mode: str = "full"  # full | steps-only, with the reason in why
    why: str = ""


@dataclass(frozen=True, slots=True)
class Exit:
    """The program ended itself with another exit code than 0."""

    code: int
    message: str = ""
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class ProbeFailure:
    """A part of the observation that failed; the program was not disturbed."""

    where: str
    why: str


EVENTS: Mapping[str, type] = {
    "started": Started,
    "model": RecordedModel,
    "optimizer": RecordedOptimizer,
    "loss-function": LossFunction,
    "data": Data,
    "batch": Batch,
    "step": Step,
    "sample": Sample,
    "epoch": Epoch,
    "evaluation": Evaluation,
    "nonfinite": NonFinite,
    "memory": Memory,
    "occasion": Occasion,
    "property": PropertyAnswer,
    "crash": Crash,
    "exit": Exit,
    "cost": Cost,
    "failure": ProbeFailure,
}


@dataclass(frozen=True, slots=True)
class Recording:
    """A whole run as the probe saw it; every list is in the order of the events."""

    started: Started | None = None
    models: tuple[RecordedModel, ...] = ()
    optimizers: tuple[RecordedOptimizer, ...] = ()
    losses: tuple[LossFunction, ...] = ()
    data: tuple[Data, ...] = ()
    batches: tuple[Batch, ...] = ()
    steps: tuple[Step, ...] = ()
    samples: tuple[Sample, ...] = ()
    epochs: tuple[Epoch, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    nonfinite: tuple[NonFinite, ...] = ()
    memory: tuple[Memory, ...] = ()
    occasions: tuple[Occasion, ...] = ()
    properties: tuple[PropertyAnswer, ...] = ()
    crash: Crash | None = None
    exit: Exit | None = None
    cost: Cost | None = None  # the closing event
    failures: tuple[ProbeFailure, ...] = ()
    unread: int = 0  # lines that could not be read
    cut: str = ""  # the limit that ended the reading before the end, if one did

    @property
    def layers(self) -> Mapping[str, RecordedLayer]:
        """The layers of all models by name, as they were last described."""
        return {layer.name: layer for model in self.models for layer in model.layers}

    def kinds(self, *kinds: str) -> tuple[RecordedLayer, ...]:
        """The layers whose class has one of these names (without the number of dimensions: ``BatchNorm``)."""
        return tuple(
            layer for layer in self.layers.values() if layer.kind.rstrip("123dDV") in kinds or layer.kind in kinds
        )

    def series(self, name: str, layer: str) -> tuple[tuple[int, float], ...]:
        """One number of one layer over the sampled steps."""
        values = ((sample.step, sample.layers.get(layer)) for sample in self.samples)
        pairs = ((step, getattr(numbers, name)) for step, numbers in values if numbers is not None)
        return tuple((step, value) for step, value in pairs if value is not None)

    @property
    def loss_values(self) -> tuple[float, ...]:
        """The training loss of every step that has one."""
        return tuple(step.loss for step in self.steps if step.loss is not None)

    def property(self, name: str) -> PropertyAnswer | None:
        """The last answer of a property probe."""
        return next((answer for answer in reversed(self.properties) if answer.name == name), None)


_ONE = {"started": "started", "crash": "crash", "exit": "exit", "cost": "cost"}
_MANY = {
    "model": "models", "optimizer": "optimizers", "loss-function": "losses", "data": "data", "batch": "batches",
    "step": "steps", "sample": "samples", "epoch": "epochs", "evaluation": "evaluations", "nonfinite": "nonfinite",
    "memory": "memory", "occasion": "occasions", "property": "properties", "failure": "failures",
}  # fmt: skip


def read(lines: Iterable[str]) -> Recording:
    """The recording that JSON lines hold, as far as the limits in ``bounds`` let it be read."""
    meter = Meter()
    return _gathered(_events(lines, meter), meter)


def gather(events: Iterable[Mapping[str, Any]]) -> Recording:
    """The recording that events hold; what is not an event of ours is left out."""
    return _gathered(events, Meter())


def _events(lines: Iterable[str], meter: Meter) -> Iterator[Mapping[str, Any]]:
    for line in meter.admitted(lines):
        try:
            event = parse_json(line)
        except ValueError:
            meter.unread += bool(line.strip())
            continue
        if isinstance(event, Mapping):
            yield event


def _gathered(events: Iterable[Mapping[str, Any]], meter: Meter) -> Recording:
    lists: dict[str, list[Any]] = {}
    single: dict[str, Any] = {}
    for event in events:
        name = event.get("event")
        kind = EVENTS.get(name) if isinstance(name, str) else None
        if kind is None or not isinstance(name, str):
            continue
        try:
            value: Any = decode(kind, meter.plain(_known(kind, event)))
        except TooMuch:
            break
        except InvalidInput:
            meter.unread += 1
            continue
        if name in _ONE:
            single[_ONE[name]] = value
        else:
            lists.setdefault(_MANY[name], []).append(value)
    fields: dict[str, Any] = {**single, **{name: tuple(values) for name, values in lists.items()}}
    return Recording(**fields, unread=meter.unread, cut=meter.cut)


def _known(kind: type, event: Mapping[str, Any]) -> dict[str, Any]:
    names = _names(kind)
    return {key: value for key, value in event.items() if key in names}


@cache
def _names(kind: type) -> frozenset[str]:
    return frozenset(item.name for item in dataclasses.fields(kind))
