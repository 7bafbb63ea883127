"""Recorded runs as a list, and two of them side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bugloss.core.errors import BuglossError
from bugloss.observe.recording import Recording
from bugloss.record.runs import RunFacts, RunFolder, all_runs
from bugloss.workflows.observation import recording_of


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a list says of a run; ``causes`` and ``symptoms`` are those of its last diagnosis, the likeliest first."""

    run: str
    script: str
    arguments: tuple[str, ...]
    started_at: str
    outcome: str
    seconds: float | None
    environment: str
    causes: tuple[str, ...] = ()
    symptoms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """One quantity of two runs."""

    name: str
    first: float | int | str | None
    second: float | int | str | None

    @property
    def differs(self) -> bool:
        return self.first != self.second


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs: what each was, and the quantities that both may have."""

    first: RunSummary
    second: RunSummary
    values: tuple[ComparedValue, ...]
    recordings: tuple[Recording, Recording]

    def document(self) -> dict[str, object]:
        values = [{"name": one.name, "first": one.first, "second": one.second} for one in self.values]
        return {"first": self.first, "second": self.second, "values": values}


def list_runs(root: Path | None = None) -> list[RunSummary]:
    """The runs below this or another folder, the latest first; what cannot be read is left out."""
    return list(_summaries(root))


def _summaries(root: Path | None) -> Iterator[RunSummary]:
    for folder in reversed(all_runs(root)):
        try:
            yield summarise(folder)
        except BuglossError:
            continue


def summarise(folder: RunFolder) -> RunSummary:
    """A run from its facts and its last diagnosis."""
    facts = folder.facts()
    diagnosis = folder.read("diagnosis.json") or {}
    return RunSummary(
        folder.id,
        facts.script,
        facts.arguments,
        facts.started_at,
        facts.outcome.in_brief,
        facts.seconds,
        facts.stack or facts.python,
        tuple(_names(diagnosis, "causes", "cause")),
        tuple(_names(diagnosis, "symptoms", "name")),
    )


def _names(diagnosis: Mapping[str, Any], part: str, key: str) -> Iterator[str]:
    found = diagnosis.get(part)
    for one in found if isinstance(found, list) else ():
        if isinstance(one, dict):
            yield str(one.get(key))


def compare_runs(first: RunFolder, second: RunFolder) -> RunComparison:
    """Two runs side by side."""
    recordings = recording_of(first), recording_of(second)
    rows = [dict(_quantities(folder.facts(), seen)) for folder, seen in zip((first, second), recordings, strict=True)]
    names = dict.fromkeys(name for row in rows for name in row)
    values = tuple(ComparedValue(name, rows[0].get(name), rows[1].get(name)) for name in names)
    known = tuple(value for value in values if value.first is not None or value.second is not None)
    return RunComparison(_named(first), _named(second), known, recordings)


def _named(folder: RunFolder) -> RunSummary:
    return replace(summarise(folder), run=folder.id)


def _quantities(facts: RunFacts, seen: Recording) -> Iterator[tuple[str, float | int | str | None]]:
    """Numbers of a run that can be set beside those of another."""
    losses, last = seen.loss_values, seen.epochs[-1] if seen.epochs else None
    validation = [epoch.validation_loss for epoch in seen.epochs if epoch.validation_loss is not None]
    yield "training steps", len(seen.steps)
    yield "epochs", len(seen.epochs) or None
    yield "first loss", losses[0] if losses else None
    yield "last loss", _mean(losses[-max(len(losses) // 20, 1) :])
    yield "lowest loss", min(losses, default=None)
    yield "last validation loss", validation[-1] if validation else None
    yield "lowest validation loss", min(validation, default=None)
    yield "accuracy", last.accuracy if last else None
    yield "validation accuracy", last.validation_accuracy if last else None
    yield (
        "learning rate",
        next((one.learning_rate for one in reversed(seen.steps) if one.learning_rate is not None), None),
    )
    yield "parameters", sum(layer.parameters for layer in seen.layers.values()) or None
    yield "peak memory (MB)", max((one.megabytes for one in seen.memory), default=None)
    yield "seconds", facts.seconds
    yield "seed", facts.settings.get("seed")
    yield "arguments", " ".join(facts.arguments) or None
    yield "environment", facts.stack or facts.python


def _mean(values: tuple[float, ...]) -> float | None:
    return sum(values) / len(values) if values else None
