"""weight-decay-too-strong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import layers_in_order, number
from bugloss.observe.progress import struggles
from bugloss.observe.rates import main_optimizer
from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.tracks import trainable

_COUPLED, _DECOUPLED = 0.05, 1.0  # strongest penalties in use, for plain and for AdamW-like optimizers
_SHRUNK = 0.5  # of their first size: learning rarely makes weights smaller at all
_PENALTY = 0.05  # of the loss: usual penalties make up a hundredth
_DECAY = {"settings": {"learning_rate": 0.1, "weight_decay": 0.5}, "kind": "SGD"}
_SHRINKING = {name: {"weight_rms": [0.2, 0.15, 0.1, 0.05, 0.01]} for name in ("fc1", "fc2")}
_PENALISED = RecordedLayer("fc1", "Dense", 680, 680, {"units": 40, "kernel_regularizer": "l2(l2=0.5)"})


class WeightDecayTooStrong(Detector):
    """Weight decay or a penalty is so strong that the weights cannot grow.

    ## What it finds
    Decay above 0.05 (above 1 for AdamW and similar optimizers), and layer penalties above 0.05.

    ## Why it hurts
    The penalty outweighs the data: weights shrink towards zero, outputs become constant, the loss does not fall.

    ## How it decides
    By the setting alone it is advice. It is a warning when the weights have shrunk to half their size or less, or the
    penalty makes up most of the loss, and the model does not learn.

    ## Known problems
    Only the decay of the first group of parameters is read.

    ## References
    Loshchilov and Hutter, decoupled weight decay (2019).
    """

    name = "weight-decay-too-strong"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([2.3] * 100, optimizer=_DECAY, layers=_SHRINKING),
        sketch([9.0] * 100, architecture=(_PENALISED,), steps={"regularization": 0.9}),
        sketch(optimizer=_DECAY),
    )
    healthy = (
        sketch(optimizer={"settings": {"learning_rate": 0.1, "weight_decay": 5e-4}, "kind": "SGD"}),
        sketch(optimizer={"settings": {"learning_rate": 3e-4, "weight_decay": 0.1}, "kind": "AdamW"}),
        sketch(architecture=(RecordedLayer("fc1", "Dense", 680, 680, {"kernel_regularizer": "l2(l2=0.01)"}),)),
        sketch([2.3] * 100, layers=_SHRINKING),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = _decay(recording) or _penalty(recording)
        if found is None:
            return
        what, strength, layer = found
        kept = _kept(recording)
        harmful = (kept is not None and kept <= _SHRUNK) or _outweighs(recording)
        optimizer = main_optimizer(recording)
        site = layer.site if layer is not None else (optimizer.site if optimizer is not None else None)
        yield self.symptom(
            f"{what} is {strength:g}"
            + (f", and the weights shrink to {kept:.0%} of their initial size." if kept is not None else "."),
            layer=layer.name if layer is not None else None,
            site=site,
            severity=Severity.WARNING if harmful and struggles(recording) else Severity.ADVICE,
            strength=strength,
            weights_kept=kept,
        )


def _decay(recording: Recording) -> tuple[str, float, RecordedLayer | None] | None:
    optimizer = main_optimizer(recording)
    decay = number(optimizer.settings, "weight_decay") if optimizer is not None else None
    if optimizer is None or decay is None:
        return None
    decoupled = optimizer.kind.endswith("W") or optimizer.kind in ("Lion", "Muon", "LAMB", "Lamb")
    return ("The weight decay", decay, None) if decay >= (_DECOUPLED if decoupled else _COUPLED) else None


def _penalty(recording: Recording) -> tuple[str, float, RecordedLayer | None] | None:
    """The first layer with a strong penalty; probes write it like ``l2(l2=0.5)``."""
    for _, layer in layers_in_order(recording):
        for name, value in layer.settings.items():
            if name.endswith("_regularizer") and isinstance(value, str):
                numbers = [float(found) for found in re.findall(r"=(\d+(?:\.\d*)?(?:e[+-]?\d+)?)", value)]
                if max(numbers, default=0.0) >= _PENALTY:
                    return f"The {name.replace('_', ' ')} of {layer.name}", max(numbers), layer
    return None


def _kept(recording: Recording) -> float | None:
    """What is left of the size of the weights at the end, as the median over layers."""
    shares = []
    for track in trainable(recording):
        sizes = [value for _, value in track.values("weight_rms")]
        if track.is_matrix and len(sizes) > 1 and sizes[0] > 0:
            shares.append(sizes[-1] / sizes[0])
    return median(shares) if shares else None


def _outweighs(recording: Recording) -> bool:
    shares = [step.regularization for step in recording.steps if step.regularization is not None]
    return bool(shares) and shares[-1] > _SHRUNK
