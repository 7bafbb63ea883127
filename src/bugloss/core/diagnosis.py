"""What observation says of a program: what was seen, why, where, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bugloss.core.cause import Cause, CellPlace, Location, SolvedBug, place_words
from bugloss.core.failed_plugin import FailedPlugin
from bugloss.core.finding import Severity
from bugloss.core.run import Isolation, Outcome, RunEnvironment

__all__ = ["Cause", "Diagnosis", "Ending", "FailedPlugin", "Location", "Site", "SolvedBug", "Symptom"]


_LONGEST_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the user's program: where a layer was made, a function called, an operation run."""

    path: str
    line: int
    function: str = ""
    text: str = ""
    cell: CellPlace | None = None  # in a notebook

    @property
    def words(self) -> str:
        return place_words(self.path, self.line, self.cell)


@dataclass(frozen=True, slots=True)
class Symptom:
    """Something seen to go wrong, with the numbers that show it. It says what happens, not why."""

    name: str
    severity: Severity
    message: str
    step: int | None = None
    layer: str | None = None
    site: Site | None = None
    evidence: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ending:
    """How the observed program ended, and what its recording lacks.

    ``exception`` is the class of the exception that ended it; ``message`` is its text, or what ``sys.exit`` was given;
    ``site`` is the innermost line of the program itself.
    """

    outcome: Outcome
    exit_code: int | None = None
    signal: str | None = None
    exception: str | None = None
    message: str = ""
    site: Site | None = None
    limit: str | None = None  # which limit of the sandbox ended it
    missing: tuple[str, ...] = ()
    refused: bool = False  # whether the program did not accept its arguments, which the message is about

    @property
    def finished(self) -> bool:
        """Whether the program came to its end with exit code 0."""
        return self.outcome is Outcome.FINISHED and not self.exit_code

    @property
    def well(self) -> bool:
        """Whether it did, and all of its recording is there."""
        return self.finished and not self.missing

    @property
    def raised(self) -> str:
        """The exception as a traceback ends with it."""
        return f"{self.exception}: {self.message}" if self.exception else ""

    @property
    def words(self) -> str:
        """What the program did in the end, to follow its name."""
        message = " ".join(self.message.split())
        text = f": {message[:_LONGEST_MESSAGE]}{'…' * (len(message) > _LONGEST_MESSAGE)}" if message else ""
        raised = f": {self.exception}{text}" if self.exception else ""
        code = "" if self.exit_code is None else f" (exit code {self.exit_code})"
        if self.limit:
            return f"was stopped: {self.limit}"
        match self.outcome:
            case Outcome.FINISHED:
                return "ran to the end"
            case Outcome.RAISED:
                return f"crashed{raised or code}"
            case Outcome.EXITED if self.refused:
                return f"does not accept its arguments{text}"
            case Outcome.EXITED:
                return f"exited with code {self.exit_code}{text}"
            case Outcome.KILLED:
                return f"was killed{f' by {self.signal}' if self.signal else code}{raised}"
            case Outcome.TIMED_OUT:
                return "was stopped by the time limit"
            case Outcome.OUT_OF_MEMORY:
                return f"ran out of memory{raised}"
            case Outcome.TOO_MUCH_EVIDENCE:
                return "was stopped: its recording exceeds the limit"
            case Outcome.INTERRUPTED:
                return "was interrupted"
            case Outcome.RUNNING:
                return "is still running, or its end was not recorded"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Symptoms in the order they were seen, causes from the likeliest down; for a crash, solved bugs that are near.

    ``gaps`` are those of the remarks that keep "nothing wrong was seen" from being an answer.
    """

    run: str
    ending: Ending
    symptoms: tuple[Symptom, ...] = ()
    causes: tuple[Cause, ...] = ()
    remarks: tuple[str, ...] = ()
    similar: tuple[SolvedBug, ...] = ()
    failed: tuple[FailedPlugin, ...] = ()
    gaps: tuple[str, ...] = ()
    isolation: Isolation | None = None
    environment: RunEnvironment | None = None

    @property
    def alarms(self) -> tuple[Symptom, ...]:
        """The symptoms that are a warning or worse."""
        return tuple(symptom for symptom in self.symptoms if symptom.severity.rank > 0)

    @property
    def troubled(self) -> bool:
        """Whether something went wrong: a symptom, a cause, or the way in which the run ended."""
        return bool(self.causes or self.alarms) or not self.ending.well

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why a run that ended well, and in which nothing wrong was seen, is still not an all-clear."""
        return (*self.ending.missing, *(failed.words for failed in self.failed), *self.gaps)

    @property
    def clear(self) -> bool:
        """Whether a whole training was observed by every detector to a good end, and nothing was wrong with it."""
        return not (self.troubled or self.doubts)
