"""everything-frozen."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import latest_models
from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import sketch

_FROZEN = (RecordedLayer("base", "Dense", 680, 0), RecordedLayer("head", "Dense", 410, 0))
_NO_GRADIENT = {"gradient_norm": None}
_STILL = {"base": {"changed": False, "gradient_rms": None}, "head": {"changed": False, "gradient_rms": None}}


class EverythingFrozen(Detector):
    """Training runs, but all parameters are frozen.

    ## What it finds
    Runs that make updates while every parameter is frozen.

    ## Why it hurts
    Nothing can be learned; Keras does not warn about it.

    ## How it decides
    All models in use have parameters, none of them trainable, updates are made, and no sampled step saw a weight
    change or a gradient of anything else that the optimizer was given. There is no threshold: a model with one
    trainable bias is left alone.

    ## Known problems
    None known.

    ## References
    ``keras.Model.trainable`` and ``torch.Tensor.requires_grad``.
    """

    name = "everything-frozen"
    severity = Severity.ERROR
    category = Category.MODEL
    faulty = (
        sketch([2.3] * 60, model={"trainable": 0}, architecture=_FROZEN, layers=_STILL, steps=_NO_GRADIENT),
        sketch([0.7] * 30, model={"trainable": 0}, architecture=_FROZEN, samples=(), steps={"gradient_norm": 0.0}),
    )
    healthy = (
        sketch(model={"trainable": 410}, architecture=(_FROZEN[0], RecordedLayer("head", "Dense", 410, 410))),
        sketch([], model={"trainable": 0}, architecture=_FROZEN, layers=_STILL),
        sketch(model={"trainable": 0}),  # the flag was set after compile: weights still move
        sketch([2.3] * 60, model={"trainable": 0}, architecture=_FROZEN, layers=_STILL),  # an image is learned
        sketch(model={"parameters": 0, "trainable": 0}, architecture=(), samples=()),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        models = [model for model in latest_models(recording) if model.parameters]
        if not models or not recording.steps or any(model.trainable for model in models):
            return
        if any(numbers.changed for sample in recording.samples for numbers in sample.layers.values()):
            return
        if any(step.gradient_norm for step in recording.steps):  # an image or a prompt learns, the model only judges it
            return
        total = sum(model.parameters for model in models)
        yield self.symptom(
            f"None of the {total} parameters is trainable, but {len(recording.steps)} training steps were run.",
            step=recording.steps[0].step,
            site=models[0].site,
            parameters=total,
            steps=len(recording.steps),
        )
