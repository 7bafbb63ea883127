"""What a check of source code says: where, what, why it matters, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from bugloss.core.edit import Edit, Span
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


@dataclass(frozen=True, slots=True)
class Fix:
    """The edit that removes a fault, and whether it may be applied unseen; advice may have no edit."""

    safety: Safety
    title: str
    edit: Edit | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One complaint of one rule about one place."""

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

    def moved(self, path: str) -> Finding:
        """The same finding, with its fix, under another path."""
        edit = self.fix.edit if self.fix else None
        fix = replace(self.fix, edit=edit.moved(lambda _: path)) if self.fix and edit else self.fix
        return replace(self, path=path, fix=fix)
