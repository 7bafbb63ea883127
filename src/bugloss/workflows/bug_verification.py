"""What verifying a bug yields."""

from __future__ import annotations

from dataclasses import dataclass, field

from bugloss.core.judgement import Stability
from bugloss.core.trial import Trial


@dataclass(frozen=True, slots=True)
class BugVerification:
    """What the runs of one bug came to."""

    bug: str
    stability: Stability
    seconds: float
    trials: tuple[Trial, ...] = field(repr=False, default=())
