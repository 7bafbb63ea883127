"""Where a bug may lie: files and functions in the order in which to open them, and why."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.triage import OriginGuess


@dataclass(frozen=True, slots=True)
class RankedFunction:
    """A function or method of a ranked file."""

    name: str
    line: int
    score: float
    end_line: int = 0
    path: str = ""


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file, its score (the best one has the highest score), and what."""

    path: str
    score: float
    why: tuple[str, ...] = ()
    functions: tuple[RankedFunction, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """The files of a commit, best first."""

    method: str
    commit: str
    files: tuple[RankedFile, ...]
    candidates: int  # how many files there were to rank
    functions: tuple[RankedFunction, ...] = ()  # over all files, where functions were asked for
    outside: OriginGuess | None = None  # where the report points outside of the source
    settings: tuple[RankedFile, ...] = ()  # configuration, requirements and CI, where the cause may lie outside
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0
