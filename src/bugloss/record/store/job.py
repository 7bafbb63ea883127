"""A job and what it says while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class JobState(Enum):
    """Where a job is; a job in one of the last three states changes no more."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"  # it ended by itself, and its document is there
    FAILED = "failed"  # bugloss or the machine could not do it; ``error`` says why
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        return self not in {JobState.QUEUED, JobState.RUNNING}


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A piece of work: the verb with its request, how far it is, and what came out.

    ``attempt`` counts how often a server has started it: more than once after a server was killed. ``cancelled`` says
    that somebody asked for its end. ``result`` is the verb's document, ``error`` a ``bugloss.error/1`` document.
    """

    id: str
    verb: str
    subject: str
    request: Mapping[str, Any]
    state: JobState
    created_at: float
    created_by: str = ""
    time_limit: float = 0.0
    started_at: float | None = None
    finished_at: float | None = None
    attempt: int = 0
    cancelled: bool = False
    exit_code: int | None = None
    result: Any = field(default=None, repr=False)
    error: Mapping[str, Any] | None = None


class JobEventKind(Enum):
    """What an event is about."""

    STATE = "state"  # the text is the new state
    PROGRESS = "progress"  # a line that the verb wrote


@dataclass(frozen=True, slots=True)
class JobEvent:
    """One line of a job's story; numbers count from 1 without a gap."""

    number: int
    at: float
    kind: JobEventKind
    text: str


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """How a job ended."""

    state: JobState
    exit_code: int | None = None
    result: str | None = None  # the document as JSON text
    error: Mapping[str, Any] | None = None
