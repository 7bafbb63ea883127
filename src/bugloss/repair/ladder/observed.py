"""One observed run of a program, before or after a patch."""

from __future__ import annotations

from dataclasses import dataclass, field

from bugloss.core.diagnosis import Symptom
from bugloss.core.run import Outcome
from bugloss.observe.recording import Crash, Recording

_DEADLINE = "deadline"  # the occasion that the probe notes where it ends a program whose time is up


@dataclass(frozen=True, slots=True)
class ObservedRun:
    """What was recorded, how it ended, and what the detectors saw."""

    recording: Recording
    outcome: Outcome
    seconds: float = 0.0
    symptoms: tuple[Symptom, ...] = ()
    failed: tuple[str, ...] = field(default=())  # detectors that failed

    @property
    def crash(self) -> Crash | None:
        return self.recording.crash

    @property
    def cut_off(self) -> bool:
        """Whether its time was up before it came to its end."""
        return self.outcome is Outcome.TIMED_OUT or any(one.kind == _DEADLINE for one in self.recording.occasions)

    @property
    def ran(self) -> bool:
        """Whether the program itself decided how it ended, or made steps until its time was up."""
        return self.outcome.came_to_an_end or (self.cut_off and bool(self.recording.steps))

    @property
    def alarms(self) -> tuple[str, ...]:
        """The symptoms at warning or error, by name."""
        return tuple(dict.fromkeys(one.name for one in self.symptoms if one.severity.rank > 0))
