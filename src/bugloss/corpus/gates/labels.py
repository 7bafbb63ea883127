"""Labels are complete, and agree with the oracle."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.bug import Bug, BugKind, OracleKind
from bugloss.core.taxonomy import SymptomType

Problems = Iterator[tuple[str, str]]

_SILENT = {
    SymptomType.BAD_PERFORMANCE,
    SymptomType.INCORRECT_FUNCTIONALITY,
    SymptomType.DATA_CORRUPTION,
    SymptomType.MEMORY_OUT_OF_BOUND,
}


def check_labels(bug: Bug) -> Problems:
    oracle, symptom = bug.oracle, bug.labels.symptom
    raises = oracle.kind is OracleKind.EXCEPTION
    if raises and symptom in _SILENT - {SymptomType.MEMORY_OUT_OF_BOUND}:
        yield "bug.toml", f"the oracle expects an exception, but the symptom is '{symptom.value}'"
    if not raises and symptom is SymptomType.CRASH:
        yield "bug.toml", f"the symptom is 'crash', but the oracle measures a {oracle.kind.value}"
    if raises and not oracle.message:
        yield "bug.toml", "oracle.message is missing: without it any exception of this class counts"
    if bug.kind is not BugKind.REAL:
        return
    if not bug.labels.edit_actions:
        yield "bug.toml", "labels.edit_actions is empty: say what made a program of the original report"
    if not bug.origin.reported_with:
        yield "bug.toml", "origin.reported_with is missing: say which release the original had, or that it is unknown"
