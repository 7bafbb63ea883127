"""The causes of a crash, with what ``check`` and the catalogues know, beside those of the training before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bugloss.core.cause import Cause
from bugloss.core.edit import TextChange
from bugloss.core.failed_plugin import FailedPlugin
from bugloss.core.finding import Finding
from bugloss.observe.recording import Recording
from bugloss.observe.sources import Sources

# Crashes that only report what the training did before, or about which nothing is known: they do not outrank others.
_MESSENGERS = {"own-check-failed", "refused-call", "non-finite-values", "non-finite-data"}
_BELOW = 0.9  # of the crash's confidence, for what is seen beside it


def causes_of_crash(
    recording: Recording,
    sources: Sources,
    findings: Sequence[Finding],
    target: Mapping[str, str],
    note: Callable[[FailedPlugin], None],
) -> tuple[Cause, ...]:
    """Why the program crashed; nothing where it did not."""
    if recording.crash is None:
        return ()
    from bugloss.observe.crash.explanation import explain
    from bugloss.observe.crash.known import Known

    known = Known(findings, lambda name: parameters_of(name, target))
    return explain(recording.crash, sources.read, note, known)


def parameters_of(name: str, target: Mapping[str, str]) -> tuple[str, ...]:
    """The parameters of a library's function, in the release that counts or in the newest that is known."""
    from bugloss.check.releases.catalogue import signature, signature_history

    package = name.split(".", 1)[0]
    found = signature(package, name, target[package]) if package in target else None
    if found is None:
        history = signature_history(package, name)
        found = history[-1][1] if history else ()
    return tuple(parameter.name for parameter in found)


def merge_causes(crash: Sequence[Cause], ranked: Sequence[Cause]) -> tuple[Cause, ...]:
    """One entry a cause, the surest first. The cause of a crash comes before what was seen beside it.

    What concerns the same line or the same kind of change follows from it, and becomes evidence.
    """
    if crash and crash[0].cause not in _MESSENGERS:
        first = crash[0]
        follows = [cause for cause in ranked if _follows(cause, first)]
        evidence = tuple(f"it also explains {cause.cause}: {cause.explanation}" for cause in follows)
        first = replace(first, evidence=(*first.evidence, *evidence))
        beside = [_beside(cause, first) for cause in ranked if cause not in follows]
        crash, ranked = (first, *crash[1:]), beside
    best: dict[str, Cause] = {}
    for cause in (*crash, *ranked):
        if cause.cause not in best or best[cause.cause].confidence < cause.confidence:
            best[cause.cause] = cause
    return tuple(sorted(best.values(), key=lambda cause: -cause.confidence))


def _follows(cause: Cause, first: Cause) -> bool:
    """Whether a cause follows from the first: it changes the same text, or concerns the same line in another way."""
    if cause.edit is not None and first.edit is not None:
        same_place = any(_overlap(one, other) for one in cause.edit.changes for other in first.edit.changes)
    else:
        lines = {(place.path, place.line) for place in first.locations}
        same_place = any((place.path, place.line) in lines for place in cause.locations[:1])
    return cause.cause != first.cause and (same_place or cause.fix_pattern is first.fix_pattern)


def _overlap(one: TextChange, other: TextChange) -> bool:
    def starts(change: TextChange) -> tuple[int, int]:
        return change.span.line, change.span.column

    def ends(change: TextChange) -> tuple[int, int]:
        return change.span.end_line, change.span.end_column

    return one.path == other.path and starts(one) <= ends(other) and starts(other) <= ends(one)


def _beside(cause: Cause, first: Cause) -> Cause:
    sure = min(cause.confidence * (1 - first.confidence), _BELOW * first.confidence)
    return replace(cause, confidence=sure) if cause.cause != first.cause else cause
