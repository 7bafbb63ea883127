"""A recording: what a probe wrote down while a program trained, as typed values.

A probe writes one JSON object a line. Its key ``event`` names the kind; the other keys are the fields of the class that
``EVENTS`` gives for that kind. Keys that a class does not know are dropped (a newer probe may write more), a line that
cannot be read is counted and skipped: the program under observation may have torn it. The classes are in ``events/``.

NaN and infinity are written as the strings ``"nan"``, ``"inf"`` and ``"-inf"`` and read back as floats.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bugloss.core.codec import decode
from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.observe.bounds import Meter, TooMuch
from bugloss.observe.crash_event import Crash, Operand
from bugloss.observe.events.data import Batch, Data, InputFeatures, Numbers, Targets
from bugloss.observe.events.ledger import CopiedModel, DataPass, OptimizerUse, PrintedNumber, SampleFacts
from bugloss.observe.events.model import LossFunction, RecordedLayer, RecordedModel, RecordedOptimizer
from bugloss.observe.events.process import Cost, Exit, GeneratedData, ProbeFailure, PropertyAnswer, Started
from bugloss.observe.events.training import (
    Epoch,
    Evaluation,
    LayerNumbers,
    MemoryReading,
    NonFinite,
    Occasion,
    Sample,
    TrainingStep,
)

__all__ = [
    "EVENTS",
    "Batch",
    "CopiedModel",
    "Cost",
    "Crash",
    "Data",
    "DataPass",
    "Epoch",
    "Evaluation",
    "Exit",
    "GeneratedData",
    "InputFeatures",
    "LayerNumbers",
    "LossFunction",
    "MemoryReading",
    "NonFinite",
    "Numbers",
    "Occasion",
    "Operand",
    "OptimizerUse",
    "PrintedNumber",
    "ProbeFailure",
    "PropertyAnswer",
    "RecordedLayer",
    "RecordedModel",
    "RecordedOptimizer",
    "Recording",
    "Sample",
    "SampleFacts",
    "Started",
    "Targets",
    "TrainingStep",
    "gather",
    "read",
]


EVENTS: Mapping[str, type] = {
    "started": Started,
    "model": RecordedModel,
    "optimizer": RecordedOptimizer,
    "loss-function": LossFunction,
    "data": Data,
    "batch": Batch,
    "step": TrainingStep,
    "sample": Sample,
    "epoch": Epoch,
    "evaluation": Evaluation,
    "nonfinite": NonFinite,
    "memory": MemoryReading,
    "occasion": Occasion,
    "property": PropertyAnswer,
    "pass": DataPass,
    "samples": SampleFacts,
    "copy": CopiedModel,
    "printed": PrintedNumber,
    "optimizer-use": OptimizerUse,
    "crash": Crash,
    "exit": Exit,
    "cost": Cost,
    "failure": ProbeFailure,
    "stand-in": GeneratedData,
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
    steps: tuple[TrainingStep, ...] = ()
    samples: tuple[Sample, ...] = ()
    epochs: tuple[Epoch, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    nonfinite: tuple[NonFinite, ...] = ()
    memory: tuple[MemoryReading, ...] = ()
    occasions: tuple[Occasion, ...] = ()
    properties: tuple[PropertyAnswer, ...] = ()
    passes: tuple[DataPass, ...] = ()
    kept: tuple[SampleFacts, ...] = ()
    copies: tuple[CopiedModel, ...] = ()
    printed: tuple[PrintedNumber, ...] = ()
    optimizer_uses: tuple[OptimizerUse, ...] = ()
    crash: Crash | None = None
    exit: Exit | None = None
    cost: Cost | None = None  # the closing event
    failures: tuple[ProbeFailure, ...] = ()
    generated: tuple[GeneratedData, ...] = ()
    unread: int = 0  # lines that could not be read
    cut: str = ""  # the limit that ended the reading before the end, if one did
    unfinished: bool = False  # the program raised an exception, or was stopped: it would have gone on

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
        """The last answer about a relation; of several models, that of the last one that breaks it."""
        found = [answer for answer in self.properties if answer.name == name]
        return next((answer for answer in reversed(found) if answer.holds is False), found[-1] if found else None)


_ONE = {"started": "started", "crash": "crash", "exit": "exit", "cost": "cost"}
_MANY = {
    "model": "models", "optimizer": "optimizers", "loss-function": "losses", "data": "data", "batch": "batches",
    "step": "steps", "sample": "samples", "epoch": "epochs", "evaluation": "evaluations", "nonfinite": "nonfinite",
    "memory": "memory", "occasion": "occasions", "property": "properties", "failure": "failures", "pass": "passes",
    "samples": "kept", "copy": "copies", "printed": "printed", "optimizer-use": "optimizer_uses",
    "stand-in": "generated",
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
