"""From a pasted traceback or log to the nearest solved bugs of the corpus, with their fixes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bugloss.observe.crash
from bugloss.core.bug import Status
from bugloss.core.diagnosis import Cause, SolvedBug
from bugloss.core.errors import InvalidInput
from bugloss.core.message import blank
from bugloss.core.run import RaisedException
from bugloss.corpus.collection import Corpus
from bugloss.corpus.entry import Entry
from bugloss.corpus.failure import Failure, KnownFailure, count_words
from bugloss.corpus.failure_index import code_revision, known_failures
from bugloss.corpus.nearest import nearest
from bugloss.observe.crash.essence import essence
from bugloss.observe.crash.explanation import explain, recognise
from bugloss.observe.crash.frames import is_users
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.traceback_text import parse
from bugloss.observe.crash_event import Crash

_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")
_STACK_LINE = re.compile(r"^\s*(?:File \".*\", line \d+.*|[\s~^]+|-+>? ?\d+ .*)$")
# Functions that every call stack of a framework has.
_EVERYWHERE = frozenset(
    {"_call_impl", "_wrapped_call_impl", "__call__", "error_handler", "__init__", "<module>", "wrapper"}
)


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a text tells: the kind of failure, its exception, why it arises, and solved bugs that are near."""

    kind: str | None
    exception: RaisedException | None
    causes: tuple[Cause, ...] = ()
    matches: tuple[SolvedBug, ...] = ()


def look_up(text: str, corpus: Corpus, limit: int = 3) -> Lookup:
    """The nearest solved bugs for a traceback or log. Where none is near, there are no matches."""
    exception = parse(text)
    causes = explain(Crash(exception), lambda path: None) if exception else ()
    failure = _failure(exception, text)
    return Lookup(failure.kind or None, exception, causes, _matches(failure, corpus, limit))


def solved_alike(exception: RaisedException, corpus: Corpus, limit: int = 3) -> tuple[SolvedBug, ...]:
    """The nearest solved bugs for an exception that was caught alive."""
    return _matches(_failure(exception, exception.message), corpus, limit)


def _matches(failure: Failure, corpus: Corpus, limit: int) -> tuple[SolvedBug, ...]:
    known = known_failures(corpus, _known_failure, _revision())
    near = nearest(failure, known, limit=len(known))
    active = [match for match in near if corpus[match.bug].status is not Status.DEPRECATED]
    return tuple(_solved(corpus[match.bug], match.score, match.why) for match in active[:limit])


def _solved(entry: Entry, score: float, why: tuple[str, ...]) -> SolvedBug:
    try:
        diff = entry.diff()
    except InvalidInput:
        diff = ""
    return SolvedBug(entry.id, entry.bug.title, score, why, entry.bug.labels.fix_pattern.value, diff)


def _known_failure(entry: Entry) -> KnownFailure:
    """What the report of a bug shows; where it has no traceback, what its oracle expects."""
    bug = entry.bug
    try:
        report = entry.report
    except InvalidInput:
        report = ""
    exception = parse(report) if bug.oracle.exception else None
    if exception is None and bug.oracle.exception:
        exception = RaisedException(bug.oracle.exception, bug.oracle.exception, bug.oracle.message.replace("#", "1"))
    words = f"{bug.title}\n{bug.title}\n{report}\n{bug.oracle.message}"
    return KnownFailure(entry.id, _failure(exception, words))


def _failure(exception: RaisedException | None, text: str) -> Failure:
    words = count_words("\n".join(line for line in text.split("\n") if not _STACK_LINE.match(line)))
    if exception is None:
        return Failure(words=words)
    pattern = recognise(exception)
    told = essence(exception.message)
    return Failure(
        exception=told.kind or exception.kind,
        template=blank(told.text),
        cause=pattern.cause if pattern else "",
        kind=(pattern.kind if pattern else CrashKind.OTHER).value,
        names=_names(exception),
        words=words,
    )


def _names(exception: RaisedException) -> tuple[str, ...]:
    """Functions of libraries on the call stack, and what the innermost line of the user's own calls."""
    frames = (*exception.frames, *essence(exception.message).frames)
    library = [frame.function.rsplit(".", 1)[-1] for frame in frames if not is_users(frame)]
    own = [frame for frame in frames if is_users(frame)]
    called = _CALLED.findall(own[-1].text) if own else []
    return tuple(sorted({*library, *called} - _EVERYWHERE))


@cache
def _revision() -> str:
    """Of the code that reads failures: patterns that change classify bugs anew."""
    folder = Path(bugloss.observe.crash.__file__).parent
    return code_revision([*folder.glob("*.py"), *folder.glob("families/*.py"), Path(__file__)])
