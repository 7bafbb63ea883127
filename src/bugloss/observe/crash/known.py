"""What other rooms know about a program that crashed: findings of ``check``, and what functions of libraries take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bugloss.core.cause import Cause
from bugloss.core.finding import Finding
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
    edits = tuple(one.fix.edit for one in near if one.fix is not None and one.fix.edit is not None)
    return replace(cause, evidence=(*cause.evidence, *evidence), edits=cause.edits or edits)
