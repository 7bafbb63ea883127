"""trainable-changed-after-compile."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_NAMED = 4  # more names make the message unreadable


def _changed(**facts: object) -> tuple[Occasion, ...]:
    return (Occasion("set-trainable", 0, facts={"after": "compile", **facts}),)


class TrainableChangedAfterCompile(Detector):
    """Layers were frozen or unfrozen after the model was compiled, and the change has no effect.

    ## What it finds
    Keras models whose ``trainable`` flags differ from those at the time of ``compile``, in a way that training does not
    follow.

    ## Why it hurts
    Layers that should be frozen are trained, or layers that should be trained stay frozen.

    ## How it decides
    The probe compares the flags at ``fit`` with those at ``compile`` and knows whether the training function was made
    before the change. Models that are part of another compiled model, as in adversarial networks, do not count.

    ## Known problems
    None known.

    ## References
    Keras, guide to transfer learning: compile again after changing ``trainable``.
    """

    name = "trainable-changed-after-compile"
    severity = Severity.WARNING
    category = Category.API
    faulty = (
        sketch(occasions=_changed(frozen=["base"], thawed=[], effective=False)),
        sketch(occasions=_changed(frozen=[], thawed=["block1", "block2"], effective=False)),
    )
    healthy = (
        sketch(occasions=_changed(frozen=["base"], thawed=[], effective=True)),
        sketch(occasions=(Occasion("set-trainable", 0),)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for occasion in recording.occasions:
            facts = occasion.facts
            if occasion.kind != "set-trainable" or facts.get("effective") is not False:
                continue
            frozen, thawed = _names(facts.get("frozen")), _names(facts.get("thawed"))
            if not frozen and not thawed:
                continue
            what = f"frozen ({', '.join(frozen[:_NAMED])})" if frozen else f"unfrozen ({', '.join(thawed[:_NAMED])})"
            yield self.symptom(
                f"Layers were {what} after compile(), which has no effect until the model is compiled again.",
                step=occasion.step,
                layer=(frozen or thawed)[0],
                site=occasion.site,
                frozen=frozen,
                thawed=thawed,
            )


def _names(value: object) -> list[str]:
    return [str(name) for name in value] if isinstance(value, list | tuple) else []
