"""Named curves as a log has them, collected within limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from bugloss.observe.logs.names import role_of

MOST_POINTS = 2_000_000  # of all curves; about 400 MB while they are sorted
MOST_NAMES = 1_000  # that are listed as not read; runs that log every layer have thousands
OWN_STEPS = ("trainer/global_step", "train/global_step", "global_step", "_step")
LARGEST_STEP = 2**53  # above, a step read from a CSV is not exact


@dataclass(frozen=True, slots=True)
class LoggedCurves:
    """What a log has: its kind in words, its curves by name, names that were not read, and what its reader noticed."""

    kind: str
    curves: Mapping[str, tuple[tuple[int, float], ...]]
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class CurveCollector:
    """Takes points in the order of the log; of several at one step the last one counts."""

    curves: dict[str, dict[int, float]] = field(default_factory=dict)
    unread: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    points: int = 0

    @property
    def full(self) -> bool:
        return self.points >= MOST_POINTS

    def add(self, name: str, step: int, value: float) -> None:
        """One point; of a name that says nothing to us only the name is kept."""
        if role_of(name) is None:
            if len(self.unread) < MOST_NAMES:
                self.unread[name] = None
            return
        if self.full:
            self.note(f"only the first {MOST_POINTS:,} points were read")
        elif 0 <= step < LARGEST_STEP and not (name not in self.curves and len(self.curves) >= MOST_NAMES):
            self.curves.setdefault(name, {})[step] = value
            self.points += 1

    def add_row(self, row: Mapping[str, float], step: int) -> None:
        """The values of one row; a step that the program counts itself comes before the number of the row."""
        own = next((row[name] for name in OWN_STEPS if name in row), float(step))
        at = int(own) if 0 <= own < LARGEST_STEP else step
        for name, value in row.items():
            if not name.startswith("_") and name not in OWN_STEPS:
                self.add(name, at, value)

    def note(self, words: str) -> None:
        self.notes[words] = None

    def collected(self, kind: str) -> LoggedCurves:
        curves = {name: tuple(sorted(points.items())) for name, points in self.curves.items()}
        return LoggedCurves(kind, curves, tuple(self.unread), tuple(self.notes))


def number_of(value: object) -> float | None:
    """A number of JSON or of a table, also where it is written as a word; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str) or value == "":
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.inf if isinstance(value, str) and value.strip().casefold() == "infinity" else None
