"""From a pasted traceback or log to the nearest solved bugs of the corpus, with their fixes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import bugloss.core.failure
import bugloss.observe.crash
from bugloss.core.bounded_text import bounded
from bugloss.core.cause import Cause, SolvedBug
from bugloss.core.errors import InvalidInput
from bugloss.core.failure.failure import Failure
from bugloss.core.failure.message import template
from bugloss.core.failure.traceback_text import last_failure
from bugloss.core.raised import RaisedException
from bugloss.corpus.code_revision import code_revision
from bugloss.corpus.failure_index import known_failures
from bugloss.corpus.failure_profile import FailureProfile, KnownFailure, count_words
from bugloss.corpus.nearest import SimilarFailure, nearest
from bugloss.corpus.unified_diff import fix_of
from bugloss.observe.crash.kind import CrashKind

if TYPE_CHECKING:
    from bugloss.core.report import Reading
    from bugloss.core.triage import SimilarBug
    from bugloss.corpus.collection import Corpus
    from bugloss.corpus.entry import Entry

_CALLED = re.compile(r"(?<![A-Za-z_])([A-Za-z_]\w{0,80}+)\s*+\(")
_STACK_LINE = re.compile(r"^\s*+(?:File \".*\", line \d+.*|[\s~^]*+|-++>? ?\d++ .*)$")
_LONGEST = 60_000  # characters of a report whose words are counted
# Functions that every call stack of a framework has.
_EVERYWHERE = frozenset(
    {"_call_impl", "_wrapped_call_impl", "__call__", "error_handler", "__init__", "<module>", "wrapper"}
)


@dataclass(frozen=True, slots=True)
class Lookup:
    """What is read from a text: the kind of failure, its exception, its cause, and similar solved bugs."""

    kind: str | None
    exception: RaisedException | None
    causes: tuple[Cause, ...] = ()
    matches: tuple[SolvedBug, ...] = ()


def look_up(text: str, corpus: Corpus, limit: int = 3) -> Lookup:
    """The most similar solved bugs for a traceback or log; none where no bug is similar."""
    text = bounded(text)
    failure = last_failure(text)
    exception = failure.exception if failure else None
    causes = _explained(exception) if exception else ()
    profile = _profile(failure, text)
    return Lookup(profile.kind or None, exception, causes, _matches(profile, corpus, limit))


def _explained(exception: RaisedException) -> tuple[Cause, ...]:
    from bugloss.observe.crash.explanation import explain
    from bugloss.observe.crash_event import Crash

    return explain(Crash(exception), lambda path: None)


def solved_similarly(exception: RaisedException, corpus: Corpus, limit: int = 3) -> tuple[SolvedBug, ...]:
    """The nearest solved bugs for an exception that was caught alive."""
    return _matches(_profile(Failure.of(exception), exception.message), corpus, limit)


def bugs_like(reading: Reading, corpus: Corpus, limit: int = 3) -> tuple[SimilarBug, ...]:
    """The nearest solved bugs for a report, without their fixes and without what its exception means."""
    from bugloss.core.triage import SimilarBug

    near = _near(_profile(reading.failure, reading.report.text[:_LONGEST]), corpus, limit)
    return tuple(SimilarBug(known.bug, match.score, known.title, match.why) for known, match in near)


def _matches(profile: FailureProfile, corpus: Corpus, limit: int) -> tuple[SolvedBug, ...]:
    return tuple(
        SolvedBug(known.bug, known.title, match.score, match.why, known.fix_pattern, _fix(corpus, known.bug))
        for known, match in _near(profile, corpus, limit)
    )


def _fix(corpus: Corpus, bug: str) -> str:
    """The fix; of an upstream bug only if its sources are on this machine, because a lookup clones nothing."""
    entry = corpus[bug]
    if entry.bug.upstream is None:
        return fix_of(entry.bug.folder)
    return entry.diff() if entry.at_hand else ""


def _near(profile: FailureProfile, corpus: Corpus, limit: int) -> list[tuple[KnownFailure, SimilarFailure]]:
    known = known_failures(corpus, _known_failure, _revision())
    by_name = {other.bug: other for other in known}
    return [(by_name[match.bug], match) for match in nearest(profile, known, limit)]


def _known_failure(entry: Entry) -> KnownFailure:
    """What the report of a bug shows; where it has no traceback, what its oracle expects."""
    bug = entry.bug
    try:
        report = entry.report
    except InvalidInput:
        report = ""
    failure = last_failure(report) if bug.oracle.exception else None
    if failure is None and bug.oracle.exception:
        message = bug.oracle.message.replace("#", "1")
        failure = Failure.of(RaisedException(bug.oracle.exception, bug.oracle.exception, message))
    words = f"{bug.title}\n{bug.title}\n{report}\n{bug.oracle.message}"
    return KnownFailure(entry.id, _profile(failure, words), bug.title, bug.labels.fix_pattern.value)


def _profile(failure: Failure | None, text: str) -> FailureProfile:
    words = count_words("\n".join(line for line in text.split("\n") if not _STACK_LINE.match(line)))
    if failure is None:
        return FailureProfile(words=words)
    from bugloss.observe.crash.explanation import recognise

    found = recognise(failure.exception)
    pattern = None if found is None or found.general else found
    return FailureProfile(
        exception=failure.kind,
        template=template(failure.text),
        cause=pattern.cause if pattern else "",
        kind=(pattern.kind if pattern else CrashKind.OTHER).value,
        names=_names(failure),
        words=words,
    )


def _names(failure: Failure) -> tuple[str, ...]:
    """Functions of libraries on the call stack, and what the innermost line of the user's own calls."""
    library = [frame.function.rsplit(".", 1)[-1] for frame in failure.library_frames]
    own = failure.own_frames
    called = _CALLED.findall(own[-1].text) if own else []
    return tuple(sorted({*library, *called} - _EVERYWHERE))


@cache
def _revision() -> str:
    """Of the code that reads failures: changed patterns classify bugs again."""
    reader, crash = Path(bugloss.core.failure.__file__).parent, Path(bugloss.observe.crash.__file__).parent
    files = [*reader.glob("*.py"), *crash.glob("*.py"), *crash.glob("families/*.py"), Path(__file__)]
    return code_revision(files)
