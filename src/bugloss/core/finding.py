"""What a check of source code says: where, what, why it matters, and how to fix it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bugloss.core.taxonomy import Category, FixPattern


class Severity(Enum):
    """How sure it is to hurt: an error breaks or falsifies the run, a warning mostly does, advice may help."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"

    @property
    def rank(self) -> int:
        """Larger is worse."""
        return {"advice": 0, "warning": 1, "error": 2}[self.value]


class Safety(Enum):
    """Whether a fix may be applied unseen."""

    SAFE = "safe"
    SUGGESTED = "suggested"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: lines from 1, columns from 0, as ``ast`` counts them (columns in characters)."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replaces a stretch by a text; an empty stretch inserts."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that must be applied together, and whether they may be applied unseen."""

    safety: Safety
    title: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of one rule at one place."""

    rule: str
    path: str
    span: Span
    message: str
    severity: Severity
    category: Category
    fix_pattern: FixPattern
    confidence: float = 0.9
    layer: str | None = None
    fix: Fix | None = None
    related: tuple[tuple[Span, str], ...] = ()
