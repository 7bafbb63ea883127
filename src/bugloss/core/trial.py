"""One run of a bug's test, and what it means."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.bug import Oracle, Twin
from bugloss.core.judgement import Grade, Judgement
from bugloss.core.run import Run


@dataclass(frozen=True, slots=True)
class Trial:
    """A run with its judgement, and all that is needed to judge it again.

    A cost also keeps the run of the fixed program that it was compared with.
    """

    bug: str
    twin: Twin
    oracle: Oracle
    run: Run
    judgement: Judgement
    reference: Run | None = None

    @property
    def grade(self) -> Grade:
        return self.judgement.grade

    @property
    def as_expected(self) -> bool:
        """Whether the buggy program failed, or the fixed one passed."""
        return self.grade is (Grade.FAIL if self.twin is Twin.BUGGY else Grade.PASS)
