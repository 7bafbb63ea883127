"""Recorded runs as rows of features with their labels; runs whose fault did no harm are left out."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.observe.recording import read
from bugloss.observe.tools.run_features import features
from seeding.blueprint import HEALTHY

GOOD = {"classes": 0.75, "binary": 0.75, "regression": 0.5}  # a healthy program scores at least this
HARM = 0.08  # a seeded fault must cost at least this much of the score


@dataclass(frozen=True, slots=True)
class Row:
    """A run: which program it came from, the fault that was seeded, and what the classifiers see of it."""

    program: str
    label: str
    features: dict[str, float]


def rows(folder: Path) -> Iterator[Row]:
    """The rows of all runs that are complete and tell something."""
    for healthy in sorted(folder.glob(f"*/*-{HEALTHY}/result.json")):
        best = _score(healthy.parent)
        if best is None or best < GOOD[_task(healthy.parent)]:
            continue
        number = healthy.parent.name.split("-")[0]
        program = f"{healthy.parent.parent.name} {number}"
        for run in sorted(healthy.parent.parent.glob(f"{number}-*")):
            label = run.name.split("-", 1)[1]
            score = _score(run)
            if score is not None and (label == HEALTHY or not score > best - HARM):
                yield Row(program, label, _features(run))


def _score(run: Path) -> float | None:
    """What the program reached; not a number where it fell over numbers, None where it did not come to its end."""
    try:
        score = json.loads((run / "result.json").read_text(encoding="utf-8"))["score"]
    except (OSError, ValueError, KeyError):
        return None
    return math.nan if score is None else float(score)


def _task(run: Path) -> str:
    return str(json.loads((run / "plan.json").read_text(encoding="utf-8"))["task"])


def _features(run: Path) -> dict[str, float]:
    with (run / "events.jsonl").open(encoding="utf-8") as lines:
        return features(read(lines))
