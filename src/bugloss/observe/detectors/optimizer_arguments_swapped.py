"""optimizer-arguments-swapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch

_HARDLY = 0.01  # a momentum that has no effect: nobody asks for it
_HUGE = 0.5  # a decay that halves weights or rates within a step or two


def _optimizer(kind: str, **settings: object) -> dict[str, object]:
    return {"kind": kind, "settings": {"learning_rate": 0.01, **settings}}


class OptimizerArgumentsSwapped(Detector):
    """Two arguments of the optimizer are in each other's place.

    ## What it finds
    A first beta above the second; a momentum of nearly nothing beside a decay as large as a momentum.

    ## Why it hurts
    With a decay of 0.9 weights, or the learning rate, are gone after a few steps; with swapped betas the direction is
    averaged over a thousand steps and its size over ten.

    ## How it decides
    By the settings alone, a warning: each of the two values is out of range where it is and usual for the other.

    ## Known problems
    None known.

    ## References
    Kingma and Ba, Adam (2015); ``torch.optim.SGD``; ``keras.optimizers.SGD``.
    """

    name = "optimizer-arguments-swapped"
    severity = Severity.WARNING
    category = Category.API
    faulty = (
        sketch(optimizer=_optimizer("Adam", betas=[0.999, 0.9])),
        sketch(optimizer=_optimizer("Adam", beta_1=0.999, beta_2=0.9)),
        sketch(optimizer=_optimizer("SGD", momentum=1e-4, weight_decay=0.9)),
        sketch(optimizer=_optimizer("SGD", momentum=1e-6, decay=0.9)),
    )
    healthy = (
        sketch(optimizer=_optimizer("Adam", betas=[0.9, 0.999])),
        sketch(optimizer=_optimizer("Adam", betas=[0.9, 0.9])),
        sketch(optimizer=_optimizer("SGD", momentum=0.0, weight_decay=0.9)),
        sketch(optimizer=_optimizer("SGD", momentum=0.9, decay=1e-6)),
        sketch(optimizer=_optimizer("RMSprop", momentum=0.0)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for optimizer in recording.optimizers:
            pair = _swapped(optimizer.settings)
            if pair is not None:
                (one, first), (other, second) = pair
                yield self.symptom(
                    f"{optimizer.kind} has {one} {first:g} and {other} {second:g}: the two are swapped.",
                    step=0,
                    site=optimizer.site,
                    first=first,
                    second=second,
                )
                return


def _swapped(settings: Mapping[str, Any]) -> tuple[tuple[str, float], tuple[str, float]] | None:
    """Two arguments with their values, each of which is usual for the other."""
    betas = settings.get("betas")
    named = dict(zip(("beta_1", "beta_2"), betas, strict=False)) if isinstance(betas, list | tuple) else settings
    first, second = number(named, "beta_1"), number(named, "beta_2")
    if first is not None and second is not None and first > second:
        return ("beta1", first), ("beta2", second)
    momentum = number(settings, "momentum")
    for name in ("weight_decay", "decay"):
        decay = number(settings, name)
        if momentum is not None and decay is not None and 0 < momentum < _HARDLY and _HUGE <= decay < 1:
            return ("momentum", momentum), (name.replace("_", " "), decay)
    return None
