"""A bug counts only if its buggy program fails for the reason that its report gives."""

from __future__ import annotations

from dataclasses import replace

from bugloss.core.bug import OracleKind, Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.judgement import Grade, Standing
from bugloss.corpus.entry import Entry
from bugloss.corpus.reported_failure import announces_only, disagreement
from bugloss.workflows.bug_verification import BugVerification


def for_the_reported_reason(entry: Entry, result: BugVerification) -> BugVerification:
    """The result; broken where the recorded exception is another one than the report shows."""
    if result.stability.standing is not Standing.ACTIVE or entry.bug.oracle.kind is not OracleKind.EXCEPTION:
        return result
    reason = _other_reason(entry, result)
    if not reason:
        return result
    return replace(result, stability=replace(result.stability, standing=Standing.BROKEN, reason=reason))


def _other_reason(entry: Entry, result: BugVerification) -> str:
    try:
        report = entry.report
    except InvalidInput:
        return ""  # lint says that it is missing
    oracle = entry.bug.oracle
    if not announces_only(oracle.message) and not disagreement(report, oracle.exception, oracle.message):
        return ""  # the judge has compared what was raised with the oracle, whose message the report has
    failed = (trial for trial in result.trials if trial.twin is Twin.BUGGY and trial.grade is Grade.FAIL)
    for raised in (trial.run.exception for trial in failed):
        if raised is not None and (difference := disagreement(report, raised.kind, raised.message)):
            first_line = raised.message.strip().split("\n", 1)[0][:120]
            return f"it raises '{raised.kind}: {first_line}', but its report {difference}"
    return ""
