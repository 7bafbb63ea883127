"""Recorded programs as the fit sees them: which clues were seen for which fault, and which faults are the true ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.observe.weights import FaultWeights, read_rows

CLUES = Path(__file__).resolve().parents[2] / "bench" / "data" / "clues.json"


@dataclass(frozen=True, slots=True)
class RecordedProgram:
    """A program whose cause is known; ``group`` is what is left out together, such as one bug in two frameworks."""

    name: str
    group: str
    accepted: tuple[str, ...]  # empty: the program is sound
    alarming: bool  # whether anything was wrong enough to look for a cause
    clues: Mapping[str, Mapping[str, float]]  # fault to clue to how strongly it was seen


def read(path: Path = CLUES) -> tuple[RecordedProgram, ...]:
    """The recorded programs that are kept."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return tuple(RecordedProgram(**{**row, "accepted": tuple(row["accepted"])}) for row in rows)


def write(programs: Sequence[RecordedProgram], path: Path = CLUES) -> None:
    """One program a line, so that a change is seen."""
    lines = (json.dumps({name: getattr(program, name) for name in RecordedProgram.__slots__}) for program in programs)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def faulty(programs: Sequence[RecordedProgram]) -> tuple[RecordedProgram, ...]:
    """Those of which a cause is asked: something is wrong with them and it shows."""
    return tuple(program for program in programs if program.accepted and program.alarming)


def hand_weights() -> dict[str, FaultWeights]:
    """What was given by hand, before any fit."""
    found: dict[str, dict[str, float]] = {}
    for row in read_rows():
        found.setdefault(row.table, {})[row.name] = row.hand
    return {fault: FaultWeights(clues) for fault, clues in found.items()}
