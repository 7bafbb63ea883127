"""What check says of a program before and after a patch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bugloss.core.finding import Finding
from bugloss.core.patch import Rung, RungResult


def judge_findings(before: Sequence[Finding], after: Sequence[Finding]) -> RungResult:
    """Whether the patched program has a finding at warning or error that the program did not have."""
    known = Counter(finding.rule for finding in before)
    count = Counter(finding.rule for finding in after if finding.severity.rank > 0)
    fresh = [finding for finding in after if finding.severity.rank > 0 and count[finding.rule] > known[finding.rule]]
    measured = {"new_findings": len(fresh)}
    if fresh:
        first = fresh[-1]
        words = f"check finds {first.rule} in line {first.span.line}: {first.message}"
        return RungResult(Rung.CHECK, False, words, measured)
    return RungResult(Rung.CHECK, True, "check finds nothing new", measured)
