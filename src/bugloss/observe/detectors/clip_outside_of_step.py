"""clip-outside-of-step."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_LEAST_CALLS = 3  # fewer may be an attempt before training


def _clips(backwards: int, count: int = 50) -> tuple[Occasion, ...]:
    return (Occasion("clip", 1, count, facts={"limit": 1.0, "backwards": backwards}),)


class ClipOutsideOfStep(Detector):
    """Gradients are clipped when there are none to clip.

    ## What it finds
    Calls that clip gradients before the backward pass, or after the step, so that no step ever uses what they did.

    ## Why it hurts
    The clipping has no effect: gradients are as large as ever, while the program seems to be protected.

    ## How it decides
    A warning where every call came before any backward pass since the last step.

    ## Known problems
    Gradients that are computed by hand, without a backward pass, are not seen.

    ## References
    ``torch.nn.utils.clip_grad_norm_``: between ``backward()`` and ``step()``.
    """

    name = "clip-outside-of-step"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(occasions=_clips(0)), sketch(occasions=_clips(0, 5)))
    healthy = (sketch(occasions=_clips(1)), sketch(occasions=_clips(4)), sketch(occasions=_clips(0, 1)))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        clips = [item for item in recording.occasions if item.kind == "clip" and "backwards" in item.facts]
        calls = sum(item.count for item in clips)
        if calls >= _LEAST_CALLS and all(item.facts["backwards"] == 0 for item in clips):
            yield self.symptom(
                f"Gradients were clipped {calls} times, never between a backward pass and its step.",
                step=clips[0].step,
                site=clips[0].site,
                calls=calls,
            )
