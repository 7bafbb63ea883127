"""Recordings drawn by hand, for the proofs that detectors carry and for tests.

``sketch()`` is a healthy run of a small classifier; every argument bends one part of it. Numbers of layers are given as
one value for all sampled steps or as a list with one value a step. A sketch is drawn when it is first looked at:
detectors carry many of them, and a diagnosis uses none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from random import Random
from typing import Any

from bugloss.core.diagnosis import Site
from bugloss.observe.recording import (
    Batch,
    Data,
    DataPass,
    Epoch,
    LayerNumbers,
    LossFunction,
    Numbers,
    RecordedLayer,
    RecordedModel,
    RecordedOptimizer,
    Recording,
    Sample,
    Started,
    Targets,
    TrainingStep,
)

SAMPLED = (0, 1, 2, 5, 10, 20, 40, 60, 80, 99)

_LAYERS = (
    RecordedLayer("fc1", "Linear", 680, 680, {"units": 40, "activation": "relu"}, Site("train.py", 10)),
    RecordedLayer("fc2", "Linear", 410, 410, {"units": 10, "activation": "linear"}, Site("train.py", 12)),
)
_HEALTHY = {
    "gradient_rms": 0.01,
    "gradient_maximum": 0.1,
    "gradient_zero_share": 0.1,
    "weight_rms": 0.2,
    "weight_std": 0.2,
    "bias_mean": 0.01,
    "bias_maximum": 0.1,
    "update_ratio": 0.002,
    "changed": True,
    "output_mean": 0.3,
    "output_std": 0.8,
    "output_minimum": -2.0,
    "output_maximum": 3.0,
    "dead_share": 0.0,
    "zero_share": 0.3,
    "symmetric": False,
}


def falling(first: float = 2.3, last: float = 0.2, count: int = 100) -> list[float]:
    """A loss that falls smoothly, with a little noise."""
    rate = (last / first) ** (1 / max(count - 1, 1))
    return [first * rate**index * (1 + 0.02 * ((index * 7919) % 13 - 6) / 6) for index in range(count)]


def noisy(values: Sequence[float], share: float, seed: int = 0) -> list[float]:
    """The same curve with noise of this share of each value, the same at every call."""
    chance = Random(seed)
    return [value * max(1 + share * chance.gauss(0, 1), 0.05) for value in values]


class _Sketch(Recording):
    """A recording whose fields are filled in when the first of them is asked for."""

    __slots__ = ("_draw",)

    def __init__(self, draw: Callable[[], Recording] | None = None, **given: Any) -> None:
        if draw is None:  # a changed copy of a sketch
            super().__init__(**given)
        else:
            object.__setattr__(self, "_draw", draw)

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet."""
        if name.startswith("_"):
            raise AttributeError(name)
        drawn = self._draw()
        for item in fields(Recording):
            object.__setattr__(self, item.name, getattr(drawn, item.name))
        return object.__getattribute__(self, name)


def sketch(losses: Sequence[float] | None = None, **bent: Any) -> Recording:
    """A healthy run of 100 steps in 10 epochs, bent where an argument of ``draw`` says so."""
    return _Sketch(lambda: draw(losses, **bent))


def draw(
    losses: Sequence[float] | None = None,
    *,
    layers: Mapping[str, Mapping[str, Any]] | None = None,
    architecture: Sequence[RecordedLayer] | None = None,
    validation: Sequence[float] | None = None,
    accuracies: Sequence[float] | None = None,
    validation_accuracies: Sequence[float] | None = None,
    steps: Mapping[str, Any] | None = None,
    optimizer: Mapping[str, Any] | None = None,
    loss: Mapping[str, Any] | None = None,
    model: Mapping[str, Any] | None = None,
    batch: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    validation_batch: Mapping[str, Any] | None = None,
    data: Mapping[str, Any] | None = None,
    validation_data: Mapping[str, Any] | None = None,
    loss_functions: Sequence[LossFunction] | None = None,
    **rest: Any,
) -> Recording:
    """The recording itself; ``rest`` replaces whole fields."""
    values = list(falling() if losses is None else losses)
    described = tuple(architecture) if architecture is not None else _LAYERS
    count = len(values)
    per_epoch = max(count // 10, 1)
    recording = Recording(
        started=Started("torch", "2.13.0", python="3.11"),
        models=(replace(RecordedModel("model-0", "Net", described, parameters=1090, trainable=1090), **(model or {})),),
        optimizers=(replace(_optimizer(), **(optimizer or {})),),
        losses=(replace(_loss(), **(loss or {})),) if loss_functions is None else tuple(loss_functions),
        data=_data(data, validation_data),
        batches=_batches(batch, validation_batch),
        steps=tuple(_step(index, value, per_epoch, steps or {}) for index, value in enumerate(values)),
        samples=tuple(
            Sample(step, layers=_sampled(position, described, layers or {}))
            for position, step in enumerate(step for step in SAMPLED if step <= count)
        ),
        epochs=_epochs(values, per_epoch, validation, accuracies, validation_accuracies),
    )
    return replace(recording, **rest)


def whole_pass(epoch: int, **facts: Any) -> DataPass:
    """One epoch of training over ten batches of 32 samples, all of them seen and different."""
    whole = DataPass(
        "train", "source-0", epoch, 10 * epoch + 10, 10, 320, 320, True, 320, 10, distinct=320, contents=10
    )
    return replace(whole, **facts)


def _optimizer() -> RecordedOptimizer:
    return RecordedOptimizer("optimizer-0", "Adam", {"learning_rate": 0.001}, Site("train.py", 20), parameters=4)


def _loss() -> LossFunction:
    return LossFunction(
        "cross-entropy", "CrossEntropyLoss", True, "mean", Site("train.py", 25), (64, 10), (64,), "int64"
    )


def _batch() -> Batch:
    inputs = Numbers((64, 16), "float32", -3.0, 3.0, 0.0, 1.0)
    target = Numbers((64,), "int64", 0.0, 9.0, 4.5, 2.9)
    targets = Targets("index", 10, {str(label): 6 for label in range(10)}, 1.1)
    outputs = Numbers((64, 10), "float32", -4.0, 4.0, 0.0, 1.0)
    return Batch(0, "train", 64, (inputs,), (), target, targets, None, outputs, 0.9)


def _data(bent: Mapping[str, Any] | None, validation: Mapping[str, Any] | None) -> tuple[Data, ...]:
    training = replace(Data("train", 640, 64, True), **(bent or {}))
    return (training,) if validation is None else (training, replace(Data("validation", 160, 64, False), **validation))


def _batches(
    bent: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None, validation: Mapping[str, Any] | None
) -> tuple[Batch, ...]:
    """One training batch, or one for each mapping in a list, and a validation batch where it is asked for."""
    each = [bent or {}] if bent is None or isinstance(bent, Mapping) else bent
    found = [replace(_batch(), step=SAMPLED[min(place, 9)], **changes) for place, changes in enumerate(each)]
    if validation is not None:
        found.append(replace(_batch(), step=99, phase="validation", **validation))
    return tuple(found)


def _step(index: int, value: float, per_epoch: int, bent: Mapping[str, Any]) -> TrainingStep:
    plain = TrainingStep(
        index, value, 0.001, index // per_epoch, 64, seconds=0.02, waited=0.001, backwards=1, cleared=True,
        gradient_norm=0.5,
    )  # fmt: skip
    return replace(plain, **{name: _at(given, index) for name, given in bent.items()})


def _sampled(
    position: int, described: Sequence[RecordedLayer], bent: Mapping[str, Mapping[str, Any]]
) -> dict[str, LayerNumbers]:
    numbers = {}
    for layer in described:
        plain = _HEALTHY if layer.parameters else {name: _HEALTHY[name] for name in _HEALTHY if "output" in name}
        given = {name: _at(value, position) for name, value in bent.get(layer.name, {}).items()}
        numbers[layer.name] = LayerNumbers(**{**plain, **given})
    return numbers


def _at(given: Any, position: int) -> Any:
    """The value for one position: lists run on with their last value."""
    return given[min(position, len(given) - 1)] if isinstance(given, list) else given


def _epochs(
    losses: Sequence[float],
    per_epoch: int,
    validation: Sequence[float] | None,
    accuracies: Sequence[float] | None,
    validation_accuracies: Sequence[float] | None,
) -> tuple[Epoch, ...]:
    epochs = []
    for number, start in enumerate(range(0, len(losses) - per_epoch + 1, per_epoch)):
        part = losses[start : start + per_epoch]
        epochs.append(
            Epoch(
                number,
                start + per_epoch - 1,
                sum(part) / len(part),
                None if accuracies is None else accuracies[min(number, len(accuracies) - 1)],
                None if validation is None else validation[min(number, len(validation) - 1)],
                None
                if validation_accuracies is None
                else validation_accuracies[min(number, len(validation_accuracies) - 1)],
                0.001,
            )
        )
    return tuple(epochs)
