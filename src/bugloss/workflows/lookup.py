"""From a pasted traceback or log to the nearest solved bugs of the corpus, with their fixes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import bugloss.observe.crash
from bugloss.core.bounded_text import bounded
from bugloss.core.cause import Cause, SolvedBug
from bugloss.core.errors import InvalidInput
from bugloss.core.message import blank
from bugloss.core.raised import RaisedException
from bugloss.corpus.failure import Failure, KnownFailure, count_words
from bugloss.corpus.failure_index import code_revision, known_failures
from bugloss.corpus.nearest import SimilarFailure, nearest
from bugloss.corpus.unified_diff import fix_of
from bugloss.observe.crash.essence import essence
from bugloss.observe.crash.frames import is_users
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.traceback_text import parse

if TYPE_CHECKING:
    from bugloss.core.triage import SimilarBug
    from bugloss.corpus.collection import Corpus
    from bugloss.corpus.entry import Entry

_CALLED = re.compile(r"(?<![A-Za-z_])([A-Za-z_]\w{0,80}+)\s*+\(")
_STACK_LINE = re.compile(r"^\s*+(?:File \".*\", line \d+.*|[\s~^]*+|-++>? ?\d++ .*)$")
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
    text = bounded(text)
    exception = parse(text)
    causes = _explained(exception) if exception else ()
    failure = _failure(exception, text)
    return Lookup(failure.kind or None, exception, causes, _matches(failure, corpus, limit))


def _explained(exception: RaisedException) -> tuple[Cause, ...]:
    from bugloss.observe.crash.explanation import explain
    from bugloss.observe.crash_event import Crash

    return explain(Crash(exception), lambda path: None)


def solved_alike(exception: RaisedException, corpus: Corpus, limit: int = 3) -> tuple[SolvedBug, ...]:
    """The nearest solved bugs for an exception that was caught alive."""
    return _matches(_failure(exception, exception.message), corpus, limit)


def bugs_like(text: str, corpus: Corpus, limit: int = 3) -> tuple[SimilarBug, ...]:
    """The nearest solved bugs for any text, without their fixes and without what its exception means."""
    from bugloss.core.triage import SimilarBug

    text = bounded(text)
    near = _near(_failure(parse(text), text), corpus, limit)
    return tuple(SimilarBug(known.bug, match.score, known.title, match.why) for known, match in near)


def _matches(failure: Failure, corpus: Corpus, limit: int) -> tuple[SolvedBug, ...]:
    return tuple(
        SolvedBug(known.bug, known.title, match.score, match.why, known.fix_pattern, fix_of(corpus.folder(known.bug)))
        for known, match in _near(failure, corpus, limit)
    )


def _near(failure: Failure, corpus: Corpus, limit: int) -> list[tuple[KnownFailure, SimilarFailure]]:
    known = known_failures(corpus, _known_failure, _revision())
    by_name = {other.bug: other for other in known}
    return [(by_name[match.bug], match) for match in nearest(failure, known, limit)]


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
    return KnownFailure(entry.id, _failure(exception, words), bug.title, bug.labels.fix_pattern.value)


def _failure(exception: RaisedException | None, text: str) -> Failure:
    words = count_words("\n".join(line for line in text.split("\n") if not _STACK_LINE.match(line)))
    if exception is None:
        return Failure(words=words)
    from bugloss.observe.crash.explanation import recognise

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
