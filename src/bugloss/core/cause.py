"""Why a program misbehaves, where to change it, and solved bugs that are like it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bugloss.core.edit import Edit
from bugloss.core.taxonomy import FixPattern


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A line of a notebook as its reader counts: the cell, and the line in it."""

    number: int
    line: int


def place_words(path: str, line: int, cell: CellPlace | None = None) -> str:
    """``train.py:41``, or ``train.ipynb:cell 3:2``."""
    return f"{path}:{line}" if cell is None else f"{path}:cell {cell.number}:{cell.line}"


@dataclass(frozen=True, slots=True)
class Location:
    """A line to change, with its score. Lines of a notebook are counted over all of its code cells."""

    path: str
    line: int
    score: float
    layer: str | None = None
    why: str = ""
    cell: CellPlace | None = None

    @property
    def words(self) -> str:
        return place_words(self.path, self.line, self.cell)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a program misbehaves: the fault, its evidence, its location, and what to write instead."""

    cause: str
    fix_pattern: FixPattern
    confidence: float
    explanation: str
    advice: str
    locations: tuple[Location, ...] = ()
    evidence: tuple[str, ...] = ()
    symptoms: tuple[str, ...] = ()
    confirmed: bool = False
    edits: tuple[Edit, ...] = ()  # each would remove the fault, the likeliest first

    @property
    def edit(self) -> Edit | None:
        """The change to make, where it is known."""
        return self.edits[0] if self.edits else None

    @property
    def change(self) -> str:
        """What to do, in words: the edit where it is known, else the advice that goes with the fault."""
        return self.edit.text if self.edit is not None else self.advice

    def confirm(self, evidence: str, edit: Edit) -> Cause:
        """The same cause after an experiment showed that an edit removes the symptom."""
        others = tuple(one for one in self.edits if one != edit)
        sure = max(self.confidence, 0.95)
        return replace(
            self, confirmed=True, confidence=sure, evidence=(*self.evidence, evidence), edits=(edit, *others)
        )


@dataclass(frozen=True, slots=True)
class SolvedBug:
    """A bug of the corpus with a similar failure, and how it was fixed."""

    bug: str
    title: str
    score: float
    why: tuple[str, ...]
    fix_pattern: str
    diff: str
