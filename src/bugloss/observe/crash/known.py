"""What other rooms know about a program that crashed: findings of ``check``, and what functions of libraries take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bugloss.core.cause import Cause
from bugloss.core.edit import Edit, merged
from bugloss.core.finding import Finding, Severity
from bugloss.observe.crash.scene import Signature

_MOST_FINDINGS = 2


@dataclass(frozen=True, slots=True)
class Known:
    """``signature`` gives the parameters of a library's function by its qualified name."""

    findings: Sequence[Finding] = ()
    signature: Signature = field(default=lambda name: ())


NOTHING = Known()


def with_findings(cause: Cause, findings: Sequence[Finding]) -> Cause:
    """A cause with what ``check`` proves about its lines; where no edit is known, the fix of such a finding is one."""
    lines = {(place.path, place.line) for place in cause.locations}
    near = [one for one in findings if one.severity.rank > 0 and (one.path, one.span.line) in lines][:_MOST_FINDINGS]
    evidence = tuple(f"check finds in line {one.span.line}: {one.message}" for one in near)
    cause = replace(cause, evidence=(*cause.evidence, *evidence))
    fixing = next((one for one in near if _edits((one,))), None)
    return cause if cause.edits or fixing is None else _fixed_by(cause, fixing, findings)


def _fixed_by(cause: Cause, finding: Finding, findings: Sequence[Finding]) -> Cause:
    """A cause whose edit is the fix of a finding: what the finding says comes first.

    The same error elsewhere in the program would be the next crash, and is fixed with it.
    """
    is_error = finding.severity is Severity.ERROR
    others = [one for one in findings if is_error and one.rule == finding.rule and one is not finding]
    return replace(
        cause,
        explanation=f"{finding.message.rstrip('.')}. {cause.explanation}",
        edits=(merged(_edits((finding, *others))),),
    )


def _edits(findings: Sequence[Finding]) -> list[Edit]:
    return [one.fix.edit for one in findings if one.fix is not None and one.fix.edit is not None]
