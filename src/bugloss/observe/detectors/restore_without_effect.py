"""restore-without-effect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_TEXTS = {
    "restored-itself": "The state of step {taken}, put back at step {now}, is the model's own memory: nothing changed.",
    "saved-later": "The state of step {taken}, saved at step {now}, had gone on training: it is that of step {now}.",
    "loaded-then-changed": "Loaded weights were changed again before their first use, by {distance:.0%} of their size.",
}


def _seen(kind: str, **facts: float) -> tuple[Occasion, ...]:
    return (Occasion(kind, 90, facts=facts),)


class RestoreWithoutEffect(Detector):
    """Weights that were kept or loaded are not the ones that are used.

    ## What it finds
    A kept state that shares its memory with the model, put back or saved after more steps; and loaded weights that are
    changed again before the model is used.

    ## Why it hurts
    ``best = model.state_dict()`` is not a copy: the best epoch is lost, and the last one is kept in its name. Weights
    that are initialised after they were loaded are lost in the same way.

    ## How it decides
    Addresses and values are compared; there is no threshold but for rounding: a warning.

    ## Known problems
    Loaded weights that are changed on purpose, by noise or pruning, are reported too.

    ## References
    PyTorch, "Saving and loading models": ``best_model_state = deepcopy(model.state_dict())``.
    """

    name = "restore-without-effect"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(occasions=_seen("restored-itself", taken=40, now=90)),
        sketch(occasions=_seen("saved-later", taken=40, now=90)),
        sketch(occasions=_seen("loaded-then-changed", distance=0.9)),
    )
    healthy = (sketch(occasions=_seen("checkpoint")), sketch(occasions=()))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for occasion in recording.occasions:
            text = _TEXTS.get(occasion.kind)
            facts = {name: value for name, value in occasion.facts.items() if isinstance(value, int | float)}
            if text is None or not facts:
                continue
            try:
                message = text.format(**facts)
            except (KeyError, ValueError):  # a recording of other making
                continue
            yield replace(self.symptom(message, step=occasion.step, site=occasion.site), evidence=facts)
            return
