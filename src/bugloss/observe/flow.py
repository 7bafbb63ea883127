"""Passes over data, source by source, as the ledger of samples tells them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.observe.recording import DataPass, Recording, SampleFacts

_MORE_ROWS = 1.5  # rows to a sample: what fills up a last batch stays far below
LEAST_SAMPLES = 16  # with fewer samples a share means nothing


def sources(recording: Recording, phase: str = "train") -> Iterator[tuple[DataPass, ...]]:
    """The passes over each source of a phase, in their order."""
    found: dict[str, list[DataPass]] = {}
    for item in recording.passes:
        if item.phase == phase and _has_samples_in_rows(item):
            found.setdefault(item.source, []).append(item)
    return (tuple(passes) for passes in found.values())


def _has_samples_in_rows(item: DataPass) -> bool:
    """Whether a row of a batch is a sample; nodes of a graph or words of a text are many more rows than samples."""
    return item.whole is None or item.samples <= _MORE_ROWS * item.whole


def kept(recording: Recording, phase: str) -> SampleFacts | None:
    """The samples of a phase that were kept."""
    return next((item for item in recording.kept if item.phase == phase), None)


def is_number(value: float | None) -> bool:
    """Whether a value is there and finite."""
    return value is not None and math.isfinite(value)
