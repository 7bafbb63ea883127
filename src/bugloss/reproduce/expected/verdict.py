"""How close a run is to the expected failure, and which failures do not count.

An error that a line or stub of ours raises never counts. A syntax or import error counts only where the report is
about one. What is printed counts only when the program came to its own end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bugloss.core.failure.essence import essence
from bugloss.core.failure.frames import raising_library_function
from bugloss.core.failure.message import agreeing_numbers, similarity, template
from bugloss.core.reproduction import Level, Observed, ProgramEdit, StandInFor
from bugloss.core.run import Frame, Outcome, RaisedException, Run
from bugloss.reproduce.expected.figures import read_figures
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind, ExpectedException
from bugloss.reproduce.expected.symptoms import SymptomKind, looks_like
from bugloss.reproduce.program.draft import Draft

_ENDS = {
    Outcome.KILLED: "was stopped by the sandbox or ended without a message",
    Outcome.TIMED_OUT: "did not finish in time",
    Outcome.OUT_OF_MEMORY: "exceeded its memory limit",
    Outcome.TOO_MUCH_EVIDENCE: "wrote more evidence than the limit",
}
_REFUSED = re.compile(
    r"File too large|No space left|Read-only file system|Resource temporarily unavailable|Network is unreachable"
    r"|[Nn]ame resolution|Too many open files|Disk quota"
)
SIMILAR = 0.6  # the cosine from which on two messages of one class count as similar
_NOT_YET = {"SyntaxError", "IndentationError", "TabError", "ImportError", "ModuleNotFoundError", "NameError"}


@dataclass(frozen=True, slots=True)
class RunMatch:
    """A run judged: its level, why, and how much of the message's numbers agree."""

    level: Level
    reason: str
    observed: Observed
    agreement: float = 0.0
    guarded: bool = False  # it would have counted, had not a line of ours raised it
    is_capped: bool = False  # the network is a stand-in, so that more cannot be claimed

    in_library: bool = False  # a library raised it, not a line of the program

    @property
    def reproduced(self) -> bool:
        return self.level.rank >= Level.SIMILAR.rank


def judge(expectation: Expectation, run: Run, draft: Draft, script: str) -> RunMatch:
    """How near the run of a draft came; ``script`` is the name under which the draft ran."""
    observed = observe(run, script)
    if not run.outcome.came_to_an_end:
        ended = f"was stopped by the sandbox: {run.stopped}" if run.stopped else _ENDS[run.outcome]
        return RunMatch(Level.BROKEN, f"the program {ended}", observed)
    if expectation.kind is ExpectationKind.EXCEPTION:
        return _judge_exception(expectation, run, draft, script, observed)
    if run.exception is not None:
        return RunMatch(Level.BROKEN, f"it raised {run.exception.kind}, which the report does not mention", observed)
    if expectation.kind is ExpectationKind.SYMPTOM:
        return _judge_symptoms(expectation, run, observed)
    return _judge_value(expectation, run, observed)


def capped(match: RunMatch, expectation: Expectation, log: Sequence[ProgramEdit]) -> RunMatch:
    """A match that does not claim more than the report's own code can show.

    With a stand-in for the network an error may still be the reported one, but not beyond doubt; a symptom that a
    network of ours shows is at the most of the same kind.
    """
    assumed = any(StandInFor.NETWORK in entry.assumes for entry in log)
    own_line = expectation.kind is ExpectationKind.EXCEPTION and not match.in_library
    if not assumed or not match.reproduced or own_line:
        return match
    most = Level.SIMILAR if expectation.kind is ExpectationKind.SYMPTOM else Level.SAME
    if match.level.rank <= most.rank:
        return match
    return replace(match, level=most, reason=f"{match.reason}; the network is a stand-in", is_capped=True)


def observe(run: Run, script: str) -> Observed:
    """What a run showed, for people and for the JSON document."""
    figures = {name: list(values[-8:]) for name, values in read_figures(run.stdout.text).series.items()}
    if run.exception is None:
        cut_off = _ENDS.get(run.outcome, "")
        return Observed("output", message=f"the program {cut_off}" if cut_off else "", figures=figures)
    frame = run.exception.frames[-1] if run.exception.frames else None
    where = f"{frame.path.rsplit('/', 1)[-1]}:{frame.line} in {frame.function}" if frame is not None else ""
    return Observed("exception", run.exception.kind, run.exception.message, where, figures=figures)


def script_frames(exception: RaisedException, script: str) -> list[Frame]:
    """The frames of the program itself, outermost first."""
    return [frame for frame in exception.frames if frame.path.rsplit("/", 1)[-1] == script]


def is_ours(exception: RaisedException, draft: Draft, script: str) -> bool:
    """Whether a line that we wrote raised the error, or called what raised it."""
    own = script_frames(exception, script)
    return bool(own) and draft.origin(own[-1].line).is_ours


def _judge_exception(expectation: Expectation, run: Run, draft: Draft, script: str, observed: Observed) -> RunMatch:
    exception = run.exception
    if exception is None:
        return RunMatch(Level.RUNS, "it runs without the reported error", observed)
    best = max((_compare(one, exception, observed) for one in expectation.exceptions), key=_order)
    refused = _REFUSED.search(exception.message)
    if best.reproduced and refused and not any(refused[0] in one.message for one in expectation.exceptions):
        reason = f"{exception.kind}: {refused[0]} comes from the sandbox, so it does not count"
        return RunMatch(Level.BROKEN, reason, observed, guarded=True)
    best = replace(best, in_library=bool(raising_library_function(exception)))
    if best.reproduced and is_ours(exception, draft, script):
        reason = f"{exception.kind} is raised by a line that bugloss added, so it does not count"
        return RunMatch(Level.BROKEN, reason, observed, guarded=True)
    return best


def _order(match: RunMatch) -> tuple[int, float]:
    return match.level.rank, match.agreement


def _compare(expected: ExpectedException, exception: RaisedException, observed: Observed) -> RunMatch:
    stated, seen = essence(expected.message), essence(exception.message)
    kinds = {expected.kind, stated.kind} - {""}
    same_class = not kinds or any(exception.is_a(kind) or seen.kind == kind for kind in kinds)
    same, total = agreeing_numbers(expected.message, exception.message)
    agreement = same / total if total else 1.0
    if not same_class:
        return _other_class(expected, exception, observed)
    if not expected.message:
        level = Level.SIMILAR if expected.kind not in _NOT_YET else Level.RUNS
        return RunMatch(level, f"the report names {expected.kind}, but no message", observed, agreement)
    if not expected.kind and template(expected.message) in template(exception.message):
        return RunMatch(Level.SAME, "same message; the report does not name its class", observed, agreement)
    if template(expected.message) == template(exception.message):
        return _same_message(expected, exception, observed, agreement)
    if _is_beginning(expected.message, exception.message):
        return RunMatch(Level.SAME, "same class, and the same beginning of the message", observed, agreement)
    score = similarity(expected.message, exception.message)
    if score >= SIMILAR and not _is_about_another_name(expected, exception):
        return RunMatch(Level.SIMILAR, f"{exception.kind} with a similar message ({score:.2f})", observed, agreement)
    return RunMatch(Level.BROKEN, f"{exception.kind}, but with another message ({score:.2f} similar)", observed)


def _is_about_another_name(expected: ExpectedException, exception: RaisedException) -> bool:
    """Whether both say that something is missing, but not the same thing: then only the wording is similar."""
    stated, seen = (re.findall(r"['\"]([\w.]+)['\"]", text) for text in (expected.message, exception.message))
    missing = any(exception.is_a(kind) for kind in ("AttributeError", "NameError", "KeyError", "ImportError"))
    return missing and bool(stated) and bool(seen) and stated[-1] != seen[-1]


def _is_beginning(stated: str, seen: str) -> bool:
    """Whether a report quotes only the first line of a long message, all of it."""
    first, more, _ = essence(seen).text.partition("\n")
    return bool(more) and len(stated.split()) > 3 and template(stated) == template(first)


def _same_message(
    expected: ExpectedException, exception: RaisedException, observed: Observed, agreement: float
) -> RunMatch:
    function = raising_library_function(exception)
    if expected.function and expected.function == function and agreement >= 0.5:
        return RunMatch(Level.EXACT, f"same class, message and raising function ({function})", observed, agreement)
    if not expected.function and agreement == 1.0:
        return RunMatch(Level.EXACT, "same class and message, including numbers", observed, agreement)
    where = f"; raised in {function or 'the program'}, reported in {expected.function}" if expected.function else ""
    return RunMatch(Level.SAME, f"same class and message{where}", observed, agreement)


def _other_class(expected: ExpectedException, exception: RaisedException, observed: Observed) -> RunMatch:
    if expected.message and template(expected.message) == template(exception.message):
        reason = f"the same message, but as {exception.kind} instead of {expected.kind}"
        return RunMatch(Level.SIMILAR, reason, observed, 0.5)
    return RunMatch(Level.BROKEN, f"it raised {exception.kind} instead of {expected.kind}", observed)


def _judge_symptoms(expectation: Expectation, run: Run, observed: Observed) -> RunMatch:
    figures = read_figures(run.stdout.text)
    seen = [(kind, looks_like(kind, figures, expectation.figures)) for kind in expectation.symptoms]
    named, others = seen[: expectation.primary], seen[expectation.primary :]
    for kind, sight in named:
        if sight.shown:
            return RunMatch(Level.SAME, sight.words, _with_symptom(observed, kind))
    families = {kind.family for kind, _ in named}
    for kind, sight in others:
        if sight.shown and kind.family in families:
            return RunMatch(Level.SIMILAR, sight.words, _with_symptom(observed, kind))
    stated = "; ".join(sight.words for _, sight in seen if sight.words)
    return RunMatch(Level.RUNS, stated or "it runs, but prints nothing that shows the symptom", observed)


def _with_symptom(observed: Observed, kind: SymptomKind) -> Observed:
    return Observed("symptom", symptom=kind.value, figures=observed.figures)


def _judge_value(expectation: Expectation, run: Run, observed: Observed) -> RunMatch:
    if expectation.kind is ExpectationKind.UNKNOWN:
        return RunMatch(Level.RUNS, "the report does not describe the failure in a way that can be tested", observed)
    printed = " ".join(run.stdout.text.split())
    if expectation.value and " ".join(expectation.value.split()) in printed:
        return RunMatch(Level.SAME, f"it prints {expectation.value}", Observed("value", message=expectation.value))
    return RunMatch(Level.RUNS, f"it does not print {expectation.value}", observed)
