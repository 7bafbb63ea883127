"""training-in-evaluation-mode."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import is_batch_norm, layers_in_order
from bugloss.observe.modes import drops, keeps_statistics
from bugloss.observe.recording import Evaluation, RecordedLayer, Recording, TrainingStep
from bugloss.observe.sketch import sketch
from bugloss.observe.tracks import Track, tracks
from bugloss.observe.trends import persistent

_LEAST = 3  # updates: one or two may be a look at the model
_LEAST_UPDATES = 20  # the default momentum moves statistics visibly in fewer
_OTHER_MEAN = 0.3  # batch deviations: the statistics should have moved there
_LAYERS = (
    RecordedLayer("fc1", "Linear", 680, 680),
    RecordedLayer("bn", "BatchNorm1d", 80, 80),
    RecordedLayer("drop", "Dropout", settings={"rate": 0.5}),
)
_LATER: list[tuple[str, ...]] = [()] * 10 + [("bn", "drop")]
_EVALUATED = (Evaluation(9, 5, 320, 1.2),)


class TrainingInEvaluationMode(Detector):
    """Training runs with dropout or batch norm in evaluation mode.

    ## What it finds
    Updates during which dropout and batch-norm layers are in evaluation mode, mostly since an evaluation.

    ## Why it hurts
    Dropout no longer regularises and batch norm no longer updates its statistics; the model overfits, or its statistics
    become outdated.

    ## How it decides
    It is a warning when the first updates ran in training mode, an evaluation followed, and from then on all such
    layers stay in evaluation mode. Layers that are in evaluation mode from the first update on, or only some of
    them, may be frozen on purpose and stay advice, and so do layers of a model that as a whole is in training mode;
    layers that get no gradient and frozen batch norm alone are not
    mentioned. It is a warning, too, when a trainable batch norm still has its initial variance, exactly one in
    every channel, after twenty updates on data of another mean: pretrained statistics that are kept on purpose look
    different.

    ## Known problems
    A program that means to fine-tune with all batch norms frozen after a first evaluation looks the same.

    ## References
    ``torch.nn.Module.train``; TrainCheck (2025).
    """

    name = "training-in-evaluation-mode"
    severity = Severity.WARNING
    category = Category.API
    faulty = (
        sketch(architecture=_LAYERS, steps={"frozen_modes": _LATER}, evaluations=_EVALUATED),
        sketch(architecture=_LAYERS, steps={"frozen_modes": ("bn", "drop")}),
        sketch(architecture=_LAYERS, layers={"bn": {"running_variance": (1.0, 1.0), "running_mean_gap": 3.0}}),
    )
    healthy = (
        sketch(architecture=_LAYERS, evaluations=_EVALUATED),
        sketch(architecture=_LAYERS, steps={"frozen_modes": ("bn",)}),
        sketch(architecture=_LAYERS, steps={"frozen_modes": [("bn", "drop"), ()]}),
        sketch(
            architecture=(_LAYERS[0], _LAYERS[1]),
            steps={"frozen_modes": [()] * 10 + [("bn",)], "partly": True},
            evaluations=_EVALUATED,
            layers={"bn": {"running_variance": (0.7, 0.9)}},
        ),
        sketch(architecture=_LAYERS, layers={"bn": {"running_variance": (0.7, 0.9), "running_mean_gap": 3.0}}),
        sketch(architecture=_LAYERS, layers={"bn": {"running_variance": [(1.0, 1.0), (0.9, 1.1)]}}),
        sketch(
            architecture=(_LAYERS[0], _LAYERS[1]),
            steps={"frozen_modes": [()] * 10 + [("bn",)]},
            evaluations=_EVALUATED,
            layers={"bn": {"gradient_rms": None, "running_variance": (0.7, 0.9)}},
        ),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        yield from self._by_mode(recording)
        for track in tracks(recording):
            if is_batch_norm(track.layer) and track.layer.trainable and _as_made(track):
                yield self.symptom(
                    f"After {track.points[-1][0]} updates the running statistics of {track.name} still have their "
                    "initial values: the training step calls the model in evaluation mode.",
                    step=track.points[-1][0],
                    layer=track.name,
                    site=track.layer.site,
                    layers=[track.name],
                )
                return

    def _by_mode(self, recording: Recording) -> Iterator[Symptom]:
        steps = recording.steps
        start = persistent((bool(step.frozen_modes) for step in steps), _LEAST)
        if start is None:
            return
        frozen, switchable = set(steps[start].frozen_modes), _switchable(recording)
        forgotten = start > 0 and frozen >= switchable and _evaluated(recording, steps[start])
        forgotten = (
            forgotten and not steps[start].partly and not _gets_no_gradient(recording, frozen, steps[start].step)
        )
        dropout = any(drops(layer) for layer in _switchable_layers(recording) if layer.name in frozen)
        if not forgotten and not dropout:
            return
        kept = sum(bool(step.frozen_modes) for step in steps)
        yield self.symptom(
            f"{kept} of {len(steps)} updates ran with {', '.join(sorted(frozen)[:3])} in evaluation mode"
            + (", all of them after an evaluation." if forgotten else "."),
            step=steps[start].step,
            layer=min(frozen),
            site=next((item.site for item in reversed(recording.evaluations) if item.step <= steps[start].step), None),
            severity=Severity.WARNING if forgotten else Severity.ADVICE,
            updates=kept,
            layers=sorted(frozen),
        )


def _as_made(track: Track) -> bool:
    """Whether no channel's variance ever changed, although the data have another mean than zero."""
    measured = [(step, numbers) for step, numbers in track.points if numbers.running_variance is not None]
    gaps = [numbers.running_mean_gap for _, numbers in measured if numbers.running_mean_gap is not None]
    unmoved = all(numbers.running_variance == (1.0, 1.0) for _, numbers in measured)
    return unmoved and bool(measured) and measured[-1][0] >= _LEAST_UPDATES and bool(gaps) and gaps[-1] > _OTHER_MEAN


def _gets_no_gradient(recording: Recording, names: set[str], start: int) -> bool:
    """Whether all of these layers that have weights are frozen from a step on: then their mode is meant."""
    later = [
        [numbers.gradient_rms for step, numbers in track.points if step > start]
        for track in tracks(recording)
        if track.name in names and track.layer.parameters
    ]
    return any(later) and all(value is None for values in later for value in values)


def _switchable_layers(recording: Recording) -> list[RecordedLayer]:
    """Layers that behave differently in the two modes and may learn or have nothing to learn."""
    return [
        layer
        for _, layer in layers_in_order(recording)
        if drops(layer) or (keeps_statistics(layer) and (layer.trainable or not layer.parameters))
    ]


def _switchable(recording: Recording) -> set[str]:
    return {layer.name for layer in _switchable_layers(recording)}


def _evaluated(recording: Recording, step: TrainingStep) -> bool:
    return any(evaluation.step <= step.step for evaluation in recording.evaluations)
