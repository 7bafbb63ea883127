"""What one execution of a subject program left behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from bugloss.core.raised import Frame, RaisedException

__all__ = [
    "Frame",
    "Isolation",
    "Limits",
    "Outcome",
    "RaisedException",
    "Run",
    "Settings",
    "Stream",
]


class Outcome(Enum):
    """How a process ended, in every room. Only the first three say anything about the program's behaviour."""

    FINISHED = "finished"  # with exit code 0
    RAISED = "raised"
    EXITED = "exited"  # with another exit code, and no exception
    KILLED = "killed"
    TIMED_OUT = "timed-out"
    OUT_OF_MEMORY = "out-of-memory"
    TOO_MUCH_EVIDENCE = "too-much-evidence"
    INTERRUPTED = "interrupted"
    RUNNING = "running"  # it has not ended yet, or whoever waited for it was killed first

    @classmethod
    def of_exit_code(cls, code: int) -> Outcome:
        """What the exit code of a process says that was not stopped; below zero it is a signal."""
        return cls.FINISHED if code == 0 else cls.KILLED if code < 0 else cls.EXITED

    @property
    def came_to_an_end(self) -> bool:
        """Whether the program itself decided how it ended."""
        return self in {Outcome.FINISHED, Outcome.RAISED, Outcome.EXITED}

    @property
    def in_brief(self) -> str:
        """As a diagnosis gives it to other programs: finished, crashed or timeout."""
        return {Outcome.FINISHED: "finished", Outcome.TIMED_OUT: "timeout"}.get(self, "crashed")

    @classmethod
    def _missing_(cls, value: object) -> Outcome | None:
        """Words of runs that were recorded before all rooms had the same."""
        return {"crashed": cls.RAISED, "timeout": cls.TIMED_OUT}.get(value) if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything random or local that a run fixes, so that it can be repeated."""

    seed: int = 0
    hash_seed: int = 0
    threads: int = 1
    time_zone: str = "UTC"
    locale: str = "C.UTF-8"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a subject program may use at the most, all its processes together; ``file_megabytes`` is for each file."""

    wall_seconds: float = 120.0
    memory_megabytes: int = 6144
    processes: int = 256
    file_megabytes: int = 1024
    disk_megabytes: int = 3072
    output_megabytes: int = 64


@dataclass(frozen=True, slots=True)
class RunEnvironment:
    """Where an observed program ran: the interpreter, its stack if it has one, what was added, and why there."""

    python: str
    stack: str | None = None
    added: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Isolation:
    """How the run was isolated: the level's name and what that level guarantees."""

    level: str
    guarantees: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stream:
    """The text a program wrote; long output keeps its head and its tail."""

    text: str = ""
    characters_cut: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """One execution: enough to judge it again later without running anything."""

    command: tuple[str, ...]
    outcome: Outcome
    exit_code: int | None
    seconds: float
    peak_megabytes: float | None
    exception: RaisedException | None
    evidence: tuple[Mapping[str, object], ...]
    stdout: Stream
    stderr: Stream
    settings: Settings
    limits: Limits
    isolation: Isolation
    environment: str
    python: str
    started_at: str
    subject: Mapping[str, object] = field(default_factory=dict)
    stopped: str | None = None  # which limit was reached, where the sandbox ended the run
