"""optimizer-misses-parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import latest_models
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import Occasion, RecordedLayer, RecordedModel, Recording
from bugloss.observe.sketch import sketch

_UNFROZEN = "unfrozen-outside-optimizer"
_NAMED = 4  # more names make the message unreadable
_FIRST = ("fc1.weight", "fc1.bias")
_LAST = ("fc2.weight", "fc2.bias")


class OptimizerMissesParameters(Detector):
    """Trainable parameters that no optimizer updates.

    ## What it finds
    Trainable parameters of a model in use that were not passed to any optimizer.

    ## Why it hurts
    These layers keep their random initial values.

    ## How it decides
    A comparison of two sets, without any threshold: trainable parameters of the models against those of the optimizers.
    It is a warning when part of a model is missing that follows a trained layer, or when the model does not learn.
    Where only the first layers or a whole model are left out and training works, that may be fine-tuning or a fixed
    teacher, and stays advice. Parameters that were frozen when training began, have a gradient later and are in no
    optimizer are a warning in any case.

    ## Known problems
    Layers come in the order of their assignment, which need not be the order of computation.

    ## References
    huggingface/accelerate#2665 (an optimizer with the wrong parameters); torchtest2; TrainCheck (2025).
    """

    name = "optimizer-misses-parameters"
    severity = Severity.WARNING
    category = Category.API
    faulty = (
        sketch(optimizer={"missing": _LAST, "parameters": 2}),
        sketch(optimizer={"missing": ("log_temperature",)}),
        sketch(optimizer={"missing": _FIRST, "parameters": 2}),
        sketch(occasions=(Occasion(_UNFROZEN, 40, facts={"count": 2, "names": list(_FIRST)}),)),
    )
    healthy = (
        sketch(),
        sketch(
            optimizer={"missing": _LAST}, model={"layers": (RecordedLayer("fc2", "Linear", 410, 0),), "trainable": 0}
        ),
        sketch(optimizer={"missing": (*_FIRST, *_LAST), "parameters": 4, "foreign": 4}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        unfrozen = next((item for item in recording.occasions if item.kind == _UNFROZEN), None)
        if unfrozen is not None:
            names = [str(name) for name in unfrozen.facts.get("names", ())]
            yield self.symptom(
                f"{unfrozen.facts.get('count', len(names))} parameters were unfrozen during training, but are in no "
                f"optimizer: {', '.join(names[:_NAMED])}.",
                step=unfrozen.step,
                site=unfrozen.site,
                missing=names,
            )
            return
        missing = _never_updated(recording)
        if not missing or any(item.foreign == item.parameters for item in recording.optimizers):
            return  # an optimizer of something else altogether has a symptom of its own
        layers = _layers(recording, missing)
        if layers is None:
            return
        shown = ", ".join(missing[:_NAMED]) + (" …" if len(missing) > _NAMED else "")
        yield self.symptom(
            f"{len(missing)} trainable parameters are not in any optimizer: {shown}.",
            step=0,
            layer=layers[0].name if layers else None,
            site=recording.optimizers[-1].site,
            severity=Severity.WARNING if _after_trained(recording, layers) else alarm_if_struggling(recording),
            missing=list(missing),
        )


def _never_updated(recording: Recording) -> tuple[str, ...]:
    """What every optimizer reports as missing: each knows only the optimizers that started before it."""
    if not recording.optimizers:
        return ()
    common = set.intersection(*(set(item.missing) for item in recording.optimizers))
    return tuple(name for name in recording.optimizers[-1].missing if name in common)


def _layers(recording: Recording, missing: Sequence[str]) -> list[RecordedLayer] | None:
    """The layers that are left out; None where all of them are frozen by now."""
    touched = [layer for model in latest_models(recording) for layer in model.layers if _owns(layer, missing)]
    if touched and not any(layer.trainable for layer in touched):
        return None
    return [layer for layer in touched if layer.trainable]


def _owns(layer: RecordedLayer, names: Sequence[str]) -> bool:
    return any(name.startswith((f"{layer.name}.", f"{layer.name}/")) for name in names)


def _after_trained(recording: Recording, missing: Sequence[RecordedLayer]) -> bool:
    """Whether a layer that is left out follows a trained one, or is not a layer at all."""
    if not missing:
        return True
    left_out = {id(layer) for layer in missing}
    return any(_trained_before(model, left_out) for model in latest_models(recording))


def _trained_before(model: RecordedModel, left_out: set[int]) -> bool:
    trained = False
    for layer in model.layers:
        if id(layer) in left_out and trained:
            return True
        trained = trained or (id(layer) not in left_out and layer.trainable > 0)
    return False
