"""Training and evaluation mode: which forward passes evaluate, and which layers were in the wrong mode then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bugloss.core.finding import Severity
from bugloss.observe.layer_kinds import dropout_rate, is_batch_norm, is_dropout, layers_in_order
from bugloss.observe.recording import Evaluation, RecordedLayer, Recording

_PART_OF_TRAINING = 0.5  # evaluations for each step


@dataclass(frozen=True, slots=True)
class WrongModes:
    """Evaluations during which some layers were still in training mode."""

    first: Evaluation
    count: int  # evaluations
    total: int  # evaluations that were made
    layers: tuple[RecordedLayer, ...]
    measured: bool  # a loss or an accuracy came out of one of them

    @property
    def names(self) -> str:
        """The layers, for a message."""
        shown = ", ".join(f"{layer.kind} {layer.name}".strip() for layer in self.layers[:3])
        return shown + (" …" if len(self.layers) > 3 else "")

    def facts(self, recording: Recording) -> dict[str, Any]:
        """Where the symptom is, how sure it is, and its evidence."""
        sure = self.measured or (not self.first.gradients_on and bool(recording.steps) and self.first.step > 0)
        return {
            "step": self.first.step,
            "layer": self.layers[0].name,
            "site": self.first.site,
            "severity": Severity.WARNING if sure else Severity.ADVICE,
            "evaluations": self.count,
            "all_evaluations": self.total,
            "layers": [layer.name for layer in self.layers],
        }


def find_wrong_modes(recording: Recording, wanted: Callable[[RecordedLayer], bool]) -> WrongModes | None:
    """Evaluations in which layers of a wanted sort were in training mode; None where there are none."""
    by_name = {layer.name: layer for _, layer in layers_in_order(recording)}
    found: list[tuple[Evaluation, list[RecordedLayer]]] = []
    evaluations = tuple(_evaluations(recording))
    for evaluation in evaluations:
        known = (by_name.get(name) or RecordedLayer(name, _kind(name)) for name in evaluation.training_modes)
        layers = [layer for layer in known if wanted(layer)]
        if layers:
            found.append((evaluation, layers))
    if not found:
        return None
    measured = [pair for pair in found if is_measured(pair[0])]
    first, layers = (measured or found)[0]
    return WrongModes(first, len(found), len(evaluations), tuple(layers), bool(measured))


def is_measured(evaluation: Evaluation) -> bool:
    """Whether a loss or an accuracy came out of it."""
    return evaluation.loss is not None or evaluation.accuracy is not None


def drops(layer: RecordedLayer) -> bool:
    """A dropout layer that really drops something."""
    return is_dropout(layer) and dropout_rate(layer) != 0


def keeps_statistics(layer: RecordedLayer) -> bool:
    """A batch norm that has running statistics to fall back on."""
    return is_batch_norm(layer) and layer.settings.get("track_running_stats") is not False


def _evaluations(recording: Recording) -> Iterator[Evaluation]:
    """Evaluations that are not part of training itself.

    Forward passes without a backward pass also happen while training: a generator fills a batch for the
    discriminator, a network answers for a target, averaged weights get their batch-norm statistics. They give no loss
    and come with every step, or belong to a model that is made for averaging.
    """
    unmeasured = [evaluation for evaluation in recording.evaluations if not is_measured(evaluation)]
    interleaved = len(unmeasured) > _PART_OF_TRAINING * len(recording.steps) if recording.steps else False
    averaging = any("averaged" in model.kind.lower() for model in recording.models)
    for evaluation in recording.evaluations:
        forgotten = evaluation.gradients_on and not recording.steps  # training whose backward pass is missing
        if not forgotten and (is_measured(evaluation) or not (interleaved or averaging)):
            yield evaluation


def _kind(name: str) -> str:
    """What a layer is that no model lists, by its name."""
    lower = name.lower()
    if "drop" in lower:
        return "Dropout"
    return "BatchNorm" if "bn" in lower or "norm" in lower else ""
