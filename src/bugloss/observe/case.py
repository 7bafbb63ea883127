"""Everything that is known about one faulty program when its cause is searched for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Finding, Severity
from bugloss.observe.recording import Data, LossFunction, RecordedLayer, RecordedOptimizer, Recording
from bugloss.observe.sources import Sources

LEAST_DECAY = 1e-6  # a penalty below this changes no weight visibly in a whole run
HIGH_DROPOUT = 0.65  # the usual rates end at 0.5; a little above it is still done on purpose
LOW_DROPOUT = 0.06  # one input in sixteen: an ensemble of so similar networks regularizes nothing
_ALARMING = Severity.WARNING.rank


@dataclass(frozen=True, slots=True)
class Case:
    """A recording, what the detectors saw in it, what a check of the source found, and the source itself."""

    recording: Recording
    symptoms: tuple[Symptom, ...] = ()
    findings: tuple[Finding, ...] = ()
    sources: Sources = field(default_factory=Sources)

    def saw(self, *names: str) -> Symptom | None:
        """The first symptom with one of these names."""
        return next((symptom for symptom in self.symptoms if symptom.name in names), None)

    def all_seen(self, *names: str) -> Iterator[Symptom]:
        """Every symptom with one of these names."""
        return (symptom for symptom in self.symptoms if symptom.name in names)

    def alarm(self, *names: str) -> Symptom | None:
        """The first of these symptoms that is a warning or worse."""
        return next((symptom for symptom in self.all_seen(*names) if symptom.severity.rank >= _ALARMING), None)

    def found(self, *rules: str) -> Finding | None:
        """The first finding of one of these rules that is a warning or worse."""
        serious = (finding for finding in self.findings if finding.severity.rank >= _ALARMING)
        return next((finding for finding in serious if finding.rule in rules), None)

    @property
    def alarming(self) -> bool:
        """Whether anything is wrong enough to search for a cause."""
        return any(symptom.severity.rank >= _ALARMING for symptom in self.symptoms) or any(
            finding.severity.rank >= _ALARMING for finding in self.findings
        )

    @property
    def framework(self) -> str:
        """The framework of the program: torch or keras."""
        return self.recording.started.framework if self.recording.started else "torch"

    @property
    def optimizer(self) -> RecordedOptimizer | None:
        """The optimizer that made the first step, as it was last described."""
        return self.recording.optimizers[-1] if self.recording.optimizers else None

    def setting(self, name: str) -> float | None:
        """A number among the optimizer's settings."""
        return _number(self.optimizer.settings, name) if self.optimizer else None

    @property
    def loss(self) -> LossFunction | None:
        """The loss function that was trained on."""
        return self.recording.losses[0] if self.recording.losses else None

    def data(self, phase: str) -> Data | None:
        """What is known of the data of a phase."""
        return next((data for data in self.recording.data if data.phase == phase), None)

    def dropouts(self) -> Iterator[tuple[RecordedLayer, float]]:
        """Dropout layers with their rates."""
        for layer in self.recording.layers.values():
            rate = _number(layer.settings, "rate")
            if "dropout" in layer.kind.lower() and rate is not None:
                yield layer, rate

    @property
    def penalised(self) -> bool:
        """Whether weights are penalised to any effect: decay in the optimizer or a regularizer on a layer."""
        return (self.setting("weight_decay") or 0.0) >= LEAST_DECAY or any(
            _is_penalty(value)
            for layer in self.recording.layers.values()
            for name, value in layer.settings.items()
            if "regularizer" in name and "bias" not in name
        )


def _number(settings: Mapping[str, Any], name: str) -> float | None:
    value = settings.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _is_penalty(value: object) -> bool:
    """Whether the description of a regularizer is that of one with an effect."""
    return value not in (None, "", "None") and "(0.0)" not in str(value) and "(0)" not in str(value)
