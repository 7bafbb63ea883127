"""clip-too-tight."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.rates import main_optimizer
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.trends import finite

_FAR_BELOW = 0.01  # of the usual norm: steps become a hundred times shorter than the rate says
_LEAST_NORMS = 5  # the first steps have unusual norms, so a median needs a few more
_SGD = {"kind": "SGD", "settings": {"learning_rate": 0.1}}


def _clip(limit: float, function: str = "clip_grad_norm_") -> tuple[Occasion, ...]:
    return (Occasion("clip", 0, 100, facts={"limit": limit, "function": function}),)


class ClipTooTight(Detector):
    """Gradients are clipped to a hundredth of their usual size or less.

    ## What it finds
    A limit on the norm of the gradients that is far below their usual norm, with an optimizer whose updates are
    proportional to the gradient.

    ## Why it hurts
    Every update becomes a hundred times smaller or more; training is as slow as with a learning rate that much lower.

    ## How it decides
    The limit is compared with the median norm before clipping, for SGD only: Adam and other adaptive optimizers are not
    affected by the scale. It is a warning where the model does not learn, advice otherwise.

    ## Known problems
    Limits on single values are not compared.

    ## References
    Pascanu et al., gradient clipping (2013).
    """

    name = "clip-too-tight"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([2.3] * 100, optimizer=_SGD, occasions=_clip(1e-4), steps={"metrics": {"norm_before_clip": 2.0}}),
        sketch(optimizer={"kind": "SGD", "settings": {"learning_rate": 0.1, "clipnorm": 1e-4}}),
    )
    healthy = (
        sketch(optimizer=_SGD, occasions=_clip(1.0), steps={"metrics": {"norm_before_clip": 2.0}}),
        sketch(occasions=_clip(1e-4), steps={"metrics": {"norm_before_clip": 2.0}}),
        sketch(optimizer=_SGD, occasions=_clip(1e-4, "clip_grad_value_")),
        sketch(optimizer=_SGD),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        optimizer, limit = main_optimizer(recording), _limit(recording)
        norms = finite(step.metrics.get("norm_before_clip") for step in recording.steps)
        norms = norms or finite(step.gradient_norm for step in recording.steps)
        if optimizer is None or optimizer.kind != "SGD" or limit is None or len(norms) < _LEAST_NORMS:
            return
        usual = median(norms)
        if not 0 <= limit[0] < _FAR_BELOW * usual:
            return
        yield self.symptom(
            f"Gradients with a typical norm of {usual:.3g} are clipped to {limit[0]:.3g}.",
            site=limit[1],
            severity=alarm_if_struggling(recording),
            usual_norm=usual,
            limit=limit[0],
        )


def _limit(recording: Recording) -> tuple[float, Site | None] | None:
    """The largest norm that clipping allows, and the line that sets it."""
    for occasion in recording.occasions:
        if occasion.kind == "clip" and occasion.facts.get("function") == "clip_grad_norm_":
            limit = number(occasion.facts, "limit")
            return (limit, occasion.site) if limit is not None else None
    optimizer = main_optimizer(recording)
    limit = number(optimizer.settings, "clipnorm", "global_clipnorm") if optimizer is not None else None
    return (limit, optimizer.site) if limit is not None and optimizer is not None else None
