"""How an observed program ended, from what its process left behind and from what the probe wrote down.

The process has the first word: exit code, signal, limits. The recording adds the exception, or the line that called
``sys.exit``, and says itself whether it is whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from signal import Signals

from bugloss.core.diagnosis import Ending, Site
from bugloss.core.run import Outcome
from bugloss.observe.crash.scene import look_at
from bugloss.observe.recording import Recording
from bugloss.record.runs import RunFacts

Source = Callable[[str], str | None]


def ending_of(facts: RunFacts, recording: Recording, source: Source) -> Ending:
    """How the program of a run ended; ``source`` gives the text of its files."""
    outcome = outcome_of(facts.outcome, facts.exit_code, recording)
    raised = recording.crash.exception if recording.crash else None
    left = recording.exit if outcome is Outcome.EXITED else None
    return Ending(
        outcome,
        facts.exit_code,
        _signal(outcome, facts.exit_code),
        (raised.qualified.removeprefix("builtins.") or raised.kind) if raised else None,
        raised.message if raised else left.message if left else "",
        _site(recording, source) if raised else left.site if left else None,
        facts.stopped,
        tuple(_missing(recording)),
        left is not None and left.refused,
    )


def outcome_of(said: Outcome, code: int | None, recording: Recording) -> Outcome:
    """How a process ended, less what an exit code hides: an exception that escaped, another code than 0."""
    if said not in {Outcome.FINISHED, Outcome.EXITED, Outcome.RAISED}:
        return said
    if recording.crash is not None:
        return Outcome.RAISED
    return Outcome.EXITED if code else said


def _signal(outcome: Outcome, code: int | None) -> str | None:
    """The signal's name; a sandbox exits with 128 plus the signal of its program."""
    if outcome is not Outcome.KILLED or code is None:
        return None
    try:
        return Signals(-code if code < 0 else code - 128).name
    except ValueError:
        return None


def _site(recording: Recording, source: Source) -> Site | None:
    """The innermost line of the program itself; where there is none, the innermost line at all."""
    assert recording.crash is not None
    frames = recording.crash.exception.frames
    place = look_at(recording.crash, source).place or (frames[-1] if frames else None)
    return Site(place.path, place.line, place.function, place.text) if place else None


def _missing(recording: Recording) -> Iterator[str]:
    """What of the recording is not there."""
    if recording.cut:
        yield f"the recording is incomplete: {recording.cut}"
    elif recording.cost is None:
        yield "the recording is incomplete: it ends before the program does"
    if recording.unread:
        yield f"{recording.unread} {'line' if recording.unread == 1 else 'lines'} of the recording could not be read"
