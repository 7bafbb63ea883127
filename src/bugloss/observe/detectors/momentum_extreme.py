"""momentum-extreme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch

_TOO_MUCH = 0.99  # an average over a hundred steps; usual are ten to fifty
_FORGETFUL_SCALE = 0.5  # an average of squares over two steps is mostly noise; usual are ten to a thousand


def _optimizer(kind: str, **settings: object) -> dict[str, object]:
    return {"kind": kind, "settings": {"learning_rate": 0.01, **settings}}


class MomentumExtreme(Detector):
    """The momentum is too high, or the average of squared gradients is too short.

    ## What it finds
    A momentum or first beta above 0.99, a second beta below 0.5, and a second beta below the first.

    ## Why it hurts
    A momentum of 0.999 multiplies the learning rate by a thousand and continues in one direction for a thousand steps.
    A second moment that is averaged over few steps makes the updates of Adam erratic.

    ## How it decides
    By the settings of the optimizer. It is a warning where the model does not learn, advice otherwise.

    ## Known problems
    None known.

    ## References
    Sutskever et al., momentum (2013); Kingma and Ba, Adam (2015).
    """

    name = "momentum-extreme"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([2.3] * 100, optimizer=_optimizer("SGD", momentum=0.999)),
        sketch(optimizer=_optimizer("Adam", betas=[0.9, 0.1])),
        sketch(optimizer=_optimizer("Adam", beta_1=0.999, beta_2=0.9)),
    )
    healthy = (
        sketch(optimizer=_optimizer("SGD", momentum=0.9)),
        sketch(optimizer=_optimizer("Adam", betas=[0.5, 0.999])),
        sketch(optimizer=_optimizer("Adam", beta_1=0.9, beta_2=0.98)),
        sketch(optimizer=_optimizer("SGD")),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for optimizer in recording.optimizers:
            first, second = _averages(optimizer.settings)
            if first is not None and first > _TOO_MUCH:
                text = f"has a momentum of {first:g}"
            elif second is not None and second < max(_FORGETFUL_SCALE, first or 0.0):
                text = f"averages squared gradients with a factor of only {second:g}"
            else:
                continue
            yield self.symptom(
                f"{optimizer.kind} {text}.",
                step=0,
                site=optimizer.site,
                severity=alarm_if_struggling(recording),
                momentum=first,
                second=second,
            )


def _averages(settings: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """How much of the past direction and of the past scale is kept at each step."""
    betas = settings.get("betas")
    if isinstance(betas, list | tuple) and len(betas) == 2:
        named = {"beta_1": betas[0], "beta_2": betas[1]}
        return number(named, "beta_1"), number(named, "beta_2")
    return number(settings, "momentum", "beta_1"), number(settings, "beta_2")
